/** What this browser stores about lists of threads, and never sends anywhere. D48. */
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { READ_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'

/** A company by its id, a topic by its slug. */
export interface Named {
  key: string
  name: string
}

export interface ListChoices {
  hidden: string[]
  companies: Named[]
  topics: Named[]
  followed: string[]
}

export const NO_CHOICES: ListChoices = { hidden: [], companies: [], topics: [], followed: [] }

const KEPT_MAX = 300

export function choicesIn(stored: string | null): ListChoices {
  try {
    const found = JSON.parse(stored ?? '') as Partial<Record<keyof ListChoices, unknown>>
    return {
      hidden: listOf(found.hidden, isText),
      companies: listOf(found.companies, isNamed),
      topics: listOf(found.topics, isNamed),
      followed: listOf(found.followed, isText),
    }
  } catch {
    return NO_CHOICES
  }
}

const listOf = <Item>(found: unknown, isOne: (item: unknown) => item is Item): Item[] =>
  Array.isArray(found) ? found.filter(isOne) : []
const isText = (item: unknown) => typeof item === 'string'
const isNamed = (item: unknown): item is Named => {
  const named = item as Partial<Named> | null
  return typeof named?.key === 'string' && typeof named.name === 'string'
}

type Sort = 'hidden' | 'followed'
type NamedSort = 'companies' | 'topics'

export const toggled = (choices: ListChoices, of: Sort, key: string): ListChoices => ({
  ...choices,
  [of]: choices[of].includes(key)
    ? choices[of].filter((each) => each !== key)
    : [key, ...choices[of]].slice(0, KEPT_MAX),
})

export const toggledNamed = (choices: ListChoices, of: NamedSort, named: Named): ListChoices => ({
  ...choices,
  [of]: choices[of].some(({ key }) => key === named.key)
    ? choices[of].filter(({ key }) => key !== named.key)
    : [named, ...choices[of]].slice(0, KEPT_MAX),
})

interface Listed {
  id: string
  company: { id: string } | null
  topics: { slug: string }[]
}

/** A list for a single company, topic or search leaves out only hidden threads. */
export const isLeftOut = (
  { id, company, topics }: Listed,
  choices: ListChoices,
  filters: { company?: string; topic?: string; search?: string },
): boolean =>
  choices.hidden.includes(id) ||
  (!filters.search &&
    !filters.company &&
    !filters.topic &&
    (choices.companies.some(({ key }) => key === company?.id) ||
      topics.some(({ slug }) => choices.topics.some(({ key }) => key === slug))))

/** What you've read in this browser, and when you last visited. */
interface ReadThreads {
  /** When the previous visit ended. Anything later is new. */
  before: string | null
  /** The latest moment of this visit. */
  at: string | null
  /** How many comments each thread had when it was read, latest first. */
  comments: [id: string, comments: number][]
}

export const NOTHING_READ: ReadThreads = { before: null, at: null, comments: [] }

/** A longer break begins another visit. */
const PAUSE_MINUTES = 30
const READ_MAX = 300

export function readIn(stored: string | null): ReadThreads {
  try {
    const { before, at, comments } = JSON.parse(stored ?? '')
    return {
      before: momentIn(before),
      at: momentIn(at),
      comments: comments.filter(
        ([id, n]: unknown[]) => typeof id === 'string' && typeof n === 'number',
      ),
    }
  } catch {
    return NOTHING_READ
  }
}

const momentIn = (found: unknown) =>
  typeof found === 'string' && !Number.isNaN(Date.parse(found)) ? found : null

export const visited = (read: ReadThreads, now: Date): ReadThreads => {
  const isBack = read.at !== null && now.getTime() - Date.parse(read.at) > PAUSE_MINUTES * 60_000
  return { ...read, before: isBack ? read.at : read.before, at: now.toISOString() }
}

export const withRead = (read: ReadThreads, id: string, comments: number): ReadThreads => ({
  ...read,
  comments: [
    [id, comments] as [string, number],
    ...read.comments.filter(([other]) => other !== id),
  ].slice(0, READ_MAX),
})

/** `added`: comments since it was read. */
export function marksOf(
  { id, postedAt, comments }: { id: string; postedAt: string; comments: number },
  read: ReadThreads,
) {
  const then = read.comments.find(([other]) => other === id)?.[1]
  return {
    isRead: then !== undefined,
    added: then === undefined ? 0 : Math.max(0, comments - then),
    isNew:
      then === undefined && read.before !== null && Date.parse(postedAt) > Date.parse(read.before),
  }
}

/** Optional, so we store it only with consent to preference cookies. */
export const readThreads = storedValue(
  READ_KEY,
  readIn,
  () => currentConsent().preferences.preferences,
)

export const listChoices = storedValue('listChoices', choicesIn)
