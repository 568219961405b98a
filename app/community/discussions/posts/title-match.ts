/** Finding my thread by its title. Spec §5. */

/** Spec §2.16 has a fixed test title but doesn't name it; this is ours. */
export const DELETE_TEST_TITLE = 'Test post'

const folded = (title: string) => title.normalize('NFC').trim().toLowerCase()

/** Spec §5: case doesn't matter. */
export const isSameTitle = (one: string, other: string) => folded(one) === folded(other)
