from __future__ import annotations


class Node:
    __slots__ = ("key", "left", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Node | None = None
        self.right: Node | None = None


def insert(tree: Node, key: int) -> None:
    while True:
        if key < tree.key:
            if tree.left is None:
                tree.left = Node(key)
                return
            tree = tree.left
        elif key > tree.key:
            if tree.right is None:
                tree.right = Node(key)
                return
            tree = tree.right
        else:
            return


def found(tree: Node | None, key: int) -> bool:
    while tree is not None:
        if key < tree.key:
            tree = tree.left
        elif key > tree.key:
            tree = tree.right
        else:
            return True
    return False


def depth(tree: Node | None) -> int:
    if tree is None:
        return 0
    return 1 + max(depth(tree.left), depth(tree.right))


def run() -> int:
    tree = Node(500000)
    n = 60000
    seed = 1
    for _ in range(n):
        insert(tree, seed)
        seed = (seed * 1664525 + 1013904223) % 1000003
    hits = 0
    for i in range(n):
        if found(tree, i * 97):
            hits += 1
    return 1000 * depth(tree) + hits
