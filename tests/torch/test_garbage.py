"""What depyf makes for itself does not bring forward the program's collections of garbage."""

from __future__ import annotations

import gc
import unittest

import support  # noqa: F401  (puts the package on the path)
from depyf._garbage import uncollected


class Garbage(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(gc.enable)
        gc.enable()

    def test_nothing_is_collected_inside(self) -> None:
        begun = []
        gc.callbacks.append(lambda phase, info: begun.append(phase))
        self.addCleanup(gc.callbacks.pop)
        gc.collect()
        begun.clear()
        with uncollected():
            parts = [{"text": str(i)} for i in range(20 * gc.get_threshold()[0])]
            del parts
        some = [{} for _ in range(10)]
        self.assertEqual((begun, len(some)), ([], 10))

    def test_the_setting_is_as_before(self) -> None:
        with self.assertRaises(ValueError), uncollected():
            self.assertFalse(gc.isenabled())
            with uncollected():
                pass
            self.assertFalse(gc.isenabled())
            raise ValueError
        self.assertTrue(gc.isenabled())
        gc.disable()
        with uncollected():
            pass
        self.assertFalse(gc.isenabled())


if __name__ == "__main__":
    unittest.main()
