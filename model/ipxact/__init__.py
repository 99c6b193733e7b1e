"""IP-XACT files (IEEE 1685-2009, -2014, -2022, SPIRIT 1.4/1.5): read leniently, saved by splicing, written strictly."""
