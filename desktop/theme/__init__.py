"""The look: tokens, the application palette and style sheet generated from them, fonts and icons."""
