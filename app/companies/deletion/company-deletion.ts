/**
 * Deleting a company with all that was said about it: what is asked before, and said after.
 * S14. Runs in the browser too: no I/O here.
 */
import { cleanText } from '#app/kit/writing/text.ts'

/** How much goes with it. */
export interface Belongings {
  threads: number
  comments: number
  ratings: number
  jobs: number
}

/** Longer than any name: what was typed is compared, and kept nowhere. */
export const TYPED_NAME_MAX = 500

/** What the two questions and the toast say. `name` is the company's. */
export const DELETION_WORDS = {
  title: (name: string) => `Delete ${name}?`,
  goes: 'With it goes for good what people wrote about it:',
  goesToo:
    'Its page, logo, history, followers and replies go too, and nobody acts for it any more. Requests for it stay on their list. Authors are not told.',
  instead:
    'If only some posts break the rules, remove those instead. If the company is here twice, merge it into the other one. If it only has another name by now, rename it.',
  next: 'Continue',
  again: 'Nobody can bring it back. What goes with it:',
  confirm: 'Delete permanently',
  busy: 'Deleting...',
  done: (name: string) => `${name} is deleted`,
  failedToLoad: 'What goes with it could not be counted.',
} as const

export const BUSY_COMPANY =
  'People are writing about this company at this very moment. Please try again.'

/** In full: "1,200 comments". `many` is for words that do not just take an s. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** "3 threads", "1 comment" … one for each kind, also where there is none. */
export const belongingLines = ({ threads, comments, ratings, jobs }: Belongings) => [
  counted(threads, 'thread'),
  counted(comments, 'comment'),
  counted(ratings, 'rating'),
  counted(jobs, 'job'),
]

/** What cannot be told apart on a screen, or typed by every keyboard, is the same. */
const asTyped = (name: string) =>
  cleanText(name).replace(/\s+/g, ' ').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').trim()

/** What is wrong with the name that was typed; nothing where it is the company's. */
export const nameProblem = (typed: string, name: string) =>
  asTyped(typed) === asTyped(name) ? undefined : `Type ${name}, just as it stands here`
