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

/** A list of one company, topic or search leaves out only hidden threads. */
export const isLeftOut = (
  { id, company, topics }: Listed,
  choices: ListChoices,
  asked: { company?: string; topic?: string; search?: string },
): boolean =>
  choices.hidden.includes(id) ||
  (!asked.search &&
    !asked.company &&
    !asked.topic &&
    (choices.companies.some(({ key }) => key === company?.id) ||
      topics.some(({ slug }) => choices.topics.some(({ key }) => key === slug))))
