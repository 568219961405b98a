/** What people search discussions for, and what would hurt. */
import type { ThreadSearch } from '../app/community/discussions/search/found-posts.server.ts'
import { companyId } from './data/companies.ts'
import { createRandom, type Random } from './data/random.ts'
import { rareWord, SMALL_WORDS, TALKED_WORDS } from './data/thread-words.ts'

export interface SearchRequest {
  kind: string
  query: ThreadSearch
}

/** As many words among the commonest ten as among the next ninety, and so on. */
const wordOfAnyRank = (random: Random) =>
  TALKED_WORDS[Math.floor(TALKED_WORDS.length ** random.next()) - 1] as string

const KINDS: [share: number, kind: string, text: (random: Random, seed: number) => string][] = [
  [0.35, 'a word', (random) => wordOfAnyRank(random)],
  [0.2, 'two words', (random) => `${wordOfAnyRank(random)} ${wordOfAnyRank(random)}`],
  [0.1, 'a common word', (random) => TALKED_WORDS[random.below(30)] as string],
  [0.1, 'a rare word', (random) => rareWord(random)],
  [0.1, 'a slip of the keys', (random) => slipped(random, wordOfAnyRank(random))],
  [
    0.05,
    'a phrase',
    (random) => `"${TALKED_WORDS[random.below(30)]} ${TALKED_WORDS[random.below(30)]}"`,
  ],
  [0.05, 'one or another', (random) => `${wordOfAnyRank(random)} or ${wordOfAnyRank(random)}`],
  [
    0.05,
    'hostile',
    (random) =>
      random.pick([
        `-${TALKED_WORDS[0]}`,
        SMALL_WORDS.join(' '),
        '!&|'.repeat(60),
        TALKED_WORDS.slice(0, 25).join(' or '),
        `${TALKED_WORDS[0]} -${TALKED_WORDS[1]} -${TALKED_WORDS[2]}`,
      ]),
  ],
]

/** Most people leave the order as it is. */
const SORTS = [
  ...(['relevance', 'relevance', 'relevance', 'relevance'] as const),
  ...(['hot', 'new', 'top', 'unanswered'] as const),
]
const PERIODS = ['week', 'month', 'year', 'all'] as const

export function searchesOf(seed: number, count: number): SearchRequest[] {
  const random = createRandom(seed, 'thread searches')
  return Array.from({ length: count }, () => {
    let left = random.next()
    const kind =
      KINDS.find(([share]) => {
        left -= share
        return left < 0
      }) ?? KINDS[0]
    const [, name, textOf] = kind as (typeof KINDS)[number]
    const sort = random.pick(SORTS)
    const query: ThreadSearch = {
      search: textOf(random, seed),
      sort,
      period: sort === 'top' ? random.pick(PERIODS) : 'all',
    }
    // The data's seed is one less: what is searched was not drawn like what is there.
    if (random.chance(0.1)) query.company = companyId(seed - 1, random.below(50))
    if (random.chance(0.15)) query.topic = random.pick(['pay', 'culture', 'starting'])
    return { kind: name, query }
  })
}

/** One letter is missing, or two have changed places. */
function slipped(random: Random, word: string) {
  const at = 1 + random.below(Math.max(1, word.length - 2))
  return random.chance(0.5)
    ? word.slice(0, at) + word.slice(at + 1)
    : word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
}
