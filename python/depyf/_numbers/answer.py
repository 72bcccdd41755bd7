"""What depyf.compare gives back."""

from __future__ import annotations

import json
from typing import Any, Dict, List

from .._client import RemoteError, ServiceUnavailable, client
from . import script


class Comparison:
    """Whether eager and compiled agree, and if not, where the first wrong number comes from.

    print() it, or take to_dict() (docs/json.md); it is true when nothing is wrong.
    """

    def __init__(self, facts: Dict[str, Any]) -> None:
        self._segments: List[Any] = [f.pop("segment", None) for f in facts["findings"]]
        self._facts = facts
        self._answer: Dict[str, Any] = {}
        try:
            from .._torch import session as sessions

            current = sessions.current()
            if current is not None and facts["findings"]:
                current.post("wrong", **facts)
            self._answer = client.request({"cmd": "wrong", "facts": facts})
        except (RemoteError, ServiceUnavailable) as e:
            self._answer = {
                "text": "%s\n(not worded: %s)\n" % (json.dumps(facts, indent=1, default=str), e),
                "json": facts,
            }

    def __bool__(self) -> bool:
        return not self._facts["findings"] and bool(self.to_dict().get("agree", True))

    def __str__(self) -> str:
        return str(self._answer["text"])

    def __repr__(self) -> str:
        return "<depyf.compare: %s>" % str(self).split("\n", 1)[0]

    def to_dict(self) -> Dict[str, Any]:
        """The answer as in docs/json.md."""
        answer: Any = self._answer["json"]
        loaded: Dict[str, Any] = json.loads(answer) if isinstance(answer, str) else answer
        return loaded

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)

    def script(self, path: Any) -> bool:
        """Write a program of its own that shows the first finding; False if there is nothing to show."""
        for segment, finding in zip(self._segments, self._facts["findings"]):
            if segment is not None:
                text = script.text(segment, str(self), self._facts["backend"], finding)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                return True
        return False
