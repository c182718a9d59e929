"""What a call may ask git: questions that run nothing of the repository's and show nothing that is protected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.proposal import Proposal

if TYPE_CHECKING:
    from nodwyn.prims.context import Context


class GitFailed(PrimitiveError):
    """Git cannot answer. what: the message without what can be done about it, which is for who asks git."""

    def __init__(self, message: str, what: str) -> None:
        super().__init__(message)
        self.what = what


class Repository:
    """Questions to git about the repository around the root."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._root = context.session.root
        self._is_denied = context.session.places.denied

    def status(self) -> str:
        """Return the branch and what differs from its last commit.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git status")
        with _mapped():
            return surrogates.escape(git_questions.status(self._root))

    def diff(self, revisions: Sequence[str], paths: Sequence[str], *, staged: bool, summary: bool) -> str:
        """Return what differs; see :func:`nodwyn.prims.git_questions.diff`.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git diff", *revisions, *paths)
        with _mapped():
            return surrogates.escape(
                git_questions.diff(
                    self._root,
                    revisions=revisions,
                    paths=paths,
                    staged=staged,
                    summary=summary,
                    is_denied=self._is_denied,
                )
            )

    def log(self, revision: str, paths: Sequence[str], *, limit: int, skip: int, files: bool) -> str:
        """Return commits, newest first; see :func:`nodwyn.prims.git_questions.log`.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git log", revision, *paths)
        with _mapped():
            return surrogates.escape(
                git_questions.log(self._root, revision=revision, paths=paths, limit=limit, skip=skip, files=files)
            )

    def show(self, revision: str) -> str:
        """Return a commit with its changes, or with ``REVISION:PATH`` a file as it was.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git show", revision)
        with _mapped():
            return surrogates.escape(git_questions.show(self._root, revision, is_denied=self._is_denied))

    def files(self, *, untracked: bool, seconds: float) -> Sequence[tuple[str, bool]]:
        """Return the files of the root that git lists; see :func:`nodwyn.prims.git_questions.listed`.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git ls-files")
        with _mapped():
            return git_questions.listed(self._root, untracked=untracked, seconds=seconds)

    def latest_commits(self, number: int, *, seconds: float) -> list[str]:
        """Return the hashes of the latest commits; see :func:`nodwyn.prims.git_questions.latest_commits`.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide("git rev-list HEAD")
        with _mapped():
            return git_questions.latest_commits(self._root, number, seconds=seconds)

    def messages(self, hashes: Sequence[str], *, seconds: float) -> list[tuple[str, str, list[str]]]:
        """Return the messages and files of commits; see :func:`nodwyn.prims.git_questions.messages`.

        Raises: GitFailed, Refused.
        """
        from nodwyn.prims import git_questions

        self._decide(f"git log of {len(hashes)} commits")
        with _mapped():
            return git_questions.messages(self._root, hashes, seconds=seconds)

    def _decide(self, *words: str) -> None:
        ground = ("sandbox", "it runs nothing of the repository's, and leaves out what is protected")
        self._context.decide(Proposal("read", surrogates.escape(" ".join(words)), ground=ground))


@contextmanager
def _mapped() -> Iterator[None]:
    from nodwyn.prims.git_command import GitError

    try:
        yield
    except GitError as error:
        raise GitFailed(surrogates.escape(str(error)), surrogates.escape(error.what)) from None
