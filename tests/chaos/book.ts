/** What a run's clients sent, what was acknowledged, and what readers saw. */

/** Milliseconds since the run began, and the process that acknowledged it. */
export interface Said {
  at: number
  site: number
}

export interface Post {
  kind: 'thread' | 'comment'
  /** A word that only occurs in this text. */
  mark: string
  title: string
  body: string
  options: string[]
  /** Set for a comment. */
  thread: Post | undefined
  author: Record<string, string>
  id: string | undefined
  path: string
  /** `stored` once it's acknowledged, `refused` once it's refused. */
  state: 'sent' | 'stored' | 'refused'
  /** An earlier attempt got no response, so it may still take effect, even after a deletion. */
  wasSentAgain: boolean
  /** Whether its deletion or removal was sent. */
  isLeaving: boolean
  /** Deleted by its author, or removed by a moderator, and acknowledged. */
  gone: (Said & { how: 'deleted' | 'removed' }) | undefined
}

/** A voter's latest vote on a post. */
export interface CastVote {
  post: Post
  vote: number
  /** Without a response yet. */
  isOpen: boolean
}

export interface GivenRating {
  id: string | undefined
  stars: number
  /** Without a response yet. */
  isOpen: boolean
  /** Whether the rating won't change again. */
  isLast: boolean
}

export interface Read {
  site: number
  what: string
  started: number
  ended: number
  /** The marks of the posts whose text it showed. */
  marks: string[]
}

/** A period when something was wrong with a process, or with what it depends on. */
export interface Spell {
  site: number
  what: 'killed' | 'paused' | 'frozen' | 'delayed' | 'slow'
  from: number
  to: number
}

export interface Finding {
  at: number
  sentence: string
  count: number
  mark: string | undefined
}

export interface Book {
  now(): number
  posts: Post[]
  votes: Map<string, CastVote>
  ratings: Map<string, GivenRating>
  signUps: { email: string; username: string; hasProfile: boolean }[]
  requests: { companyName: string; isAnswered: boolean }[]
  messages: { idempotencyKey: string; message: string; isAnswered: boolean }[]
  reads: Read[]
  spells: Spell[]
  /** How often each kind of event happened, for the last line of a run. */
  counts: Record<string, number>
  count(what: string): void
  /** Adds a line to the history. */
  note(text: string): void
  /** Records a violation: each sentence once, with a count. */
  find(sentence: string, mark?: string): void
  findings: Map<string, Finding>
  history: { at: number; text: string }[]
}

export function openBook(): Book {
  const began = performance.now()
  const now = () => performance.now() - began
  const book: Book = {
    now,
    posts: [],
    votes: new Map(),
    ratings: new Map(),
    signUps: [],
    requests: [],
    messages: [],
    reads: [],
    spells: [],
    counts: {},
    count(what) {
      book.counts[what] = (book.counts[what] ?? 0) + 1
    },
    note: (text) => void book.history.push({ at: now(), text }),
    find(sentence, mark) {
      const known = book.findings.get(sentence)
      if (known) known.count++
      else book.findings.set(sentence, { at: now(), sentence, count: 1, mark })
      book.note(`VIOLATION ${sentence}`)
    },
    findings: new Map(),
    history: [],
  }
  return book
}

/** Whether visitors can see it when the run is over. */
export const isShown = (post: Post): boolean =>
  post.state === 'stored' && !post.gone && (post.thread === undefined || isShown(post.thread))

/** When the post was certainly gone, by itself or with its thread. */
export function goneOf(post: Post): (Said & { how: 'deleted' | 'removed' }) | undefined {
  const all = [post.gone, post.thread?.gone].filter((gone) => gone !== undefined)
  return all.sort((a, b) => a.at - b.at)[0]
}

const AROUND_MS = 4_000

/** What happened around each finding, oldest first, to help find its cause. */
export function storyOf({ findings, history }: Book): string {
  const at = (ms: number) => `${(ms / 1000).toFixed(3).padStart(9)}`
  return [...findings.values()]
    .map(({ sentence, count, mark, at: moment }) => {
      const lines = history.filter(
        (line) =>
          Math.abs(line.at - moment) < AROUND_MS ||
          line.text.startsWith('FAULT') ||
          (mark && line.text.includes(mark)),
      )
      const told = lines.map((line) => `${at(line.at)}  ${line.text}`)
      return [`## ${sentence} (${count} times, first at ${at(moment).trim()} s)`, ...told].join(
        '\n',
      )
    })
    .join('\n\n')
}
