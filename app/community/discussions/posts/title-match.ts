/** Finding one's own thread by its title. Spec §5. */

/** Spec §2.16 names a fixed test title, but not which; this is ours. */
export const DELETE_TEST_TITLE = 'Test post'

const folded = (title: string) => title.normalize('NFC').trim().toLowerCase()

/** Spec §5: case does not count. */
export const isSameTitle = (one: string, other: string) => folded(one) === folded(other)
