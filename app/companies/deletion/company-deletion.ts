/** Texts and rules of deleting a company. S14. Runs in the browser too: no I/O here. */
import { counted } from '#app/kit/ui/format.ts'
import { cleanText } from '#app/kit/writing/text.ts'

export interface Belongings {
  threads: number
  comments: number
  ratings: number
  jobs: number
}

/** No company's name is longer. */
export const TYPED_NAME_MAX = 500

export const BUSY_COMPANY = 'People are writing about this company right now. Please try again.'

/** "3 threads", "1 comment" …, including zeros. */
export const belongingLines = ({ threads, comments, ratings, jobs }: Belongings) => [
  counted(threads, 'thread'),
  counted(comments, 'comment'),
  counted(ratings, 'rating'),
  counted(jobs, 'job'),
]

/** Ignores differences that people can't see, or can't type on every keyboard. */
const asTyped = (name: string) =>
  cleanText(name).replace(/\s+/g, ' ').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').trim()

export const nameProblem = (typed: string, name: string) =>
  asTyped(typed) === asTyped(name) ? undefined : `Type ${name} exactly as shown`
