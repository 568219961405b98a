/** What the screens of a room say. */
import { ROOM_HOLDERS_MIN } from '#app/companies/badges/badge.ts'

export const roomTitle = (company: string) => `The room of ${company}`

export const ROOM = {
  text: 'What colleagues say among themselves. Whoever holds the badge reads and writes here, and nobody learns who is who.',
  badgeTitle: 'You need the badge',
  badgeText: (company: string) =>
    `Your browser shows that you work at ${company}, and not who you are. It has no badge for that yet.`,
  getBadge: 'Get the badge',
  closedTitle: 'Not enough colleagues yet',
  closedText: `The room opens once ${ROOM_HOLDERS_MIN} colleagues have a badge of one quarter: among fewer it would be easy to guess who wrote what. Tell others that there is one.`,
  warning:
    'Your colleagues read this, and so may your boss: whoever reads mail at the company can have a badge. Write so that nobody knows you by it.',
  /** Since the last night; older ones have their month. */
  isNew: 'New',
  empty: 'Nobody has written here yet',
  emptyText: 'Ask what you cannot ask at work.',
  begin: 'Begin a thread',
  placeholder: 'Say what happened, not where you sit',
  gone: 'This thread is not here any more',
  deleted: 'Deleted by its author',
  reportHint:
    'A report shows the post to the moderators of this site, who see nothing else of the room.',
  removeTitle: 'Delete what you wrote?',
  removeText: 'It is gone for everybody. What others answered stays.',
}
