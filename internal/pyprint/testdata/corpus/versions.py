"""Text that differs between versions: docstrings and long with statements.

    Indented.
"""


def f():
    """Doc "quoted" \\ string.

      indented
    """


class C:
    '''A class.

    One blank line follows, then a method.
    '''
    def f(self):
        """One line."""
    def g(self):
        """The first line

        and blank lines with blanks:
            
        	and a tab
        """
    def h(self):
        "Quotes on the last line.\n\n        Here."
    def k(): "ends with quote\""
    def l(): '"""'
    def m(): r"raw \d doc"
    def n(): '\\'
    def o(): "\ttab \x00 \r nul"

with aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbb) as ccccccccccccccccccccc, ddddddddddddddddddddddd(eeeeee) as ffff: pass
