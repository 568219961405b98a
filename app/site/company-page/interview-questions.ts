/**
 * "Before you sign": five questions for an interview. Plain rules choose them from what a company's page shows everyone.
 * No I/O here.
 */
import { TOPICS_COUNTED } from '#app/community/discussions/discussion.ts'
import {
  BREAKDOWN_MIN,
  companyPath,
  RATING_CATEGORIES,
  type RatingCategory,
} from '#app/companies/company.ts'
import {
  daysText,
  type OfficeDays,
  type Policy,
  policyText,
  statedDays,
} from '#app/companies/edits/company-policy.ts'
import {
  type MergedMonths,
  numbersOf,
  type RatingNumbers,
} from '#app/companies/own-rating/rating-buckets.ts'
import { dateText, grouped } from '#app/kit/ui/format.ts'
import { monthsBetween } from '#app/ratings/rating-trend.ts'

export const QUESTIONS = 5

interface Subject {
  question: string
  /** Slugs of topics for discussions about this subject. */
  topics: readonly string[]
  /** A note with one of these words is about the subject. In lower case, without punctuation. */
  words: readonly string[]
}

/** Each subject has one question. If no rule points to a subject, its question is asked everywhere, in this order. */
const SUBJECTS = {
  office: {
    question: 'How many days a week do people on this team go in, and who decides?',
    topics: ['return-to-office', 'remote'],
    words: [],
  },
  hours: {
    question: 'What does a busy week look like on this team, and how often is there one?',
    topics: ['work-life-balance'],
    words: ['overtime', 'weekend', 'weekends', 'on call', 'long hours', 'burnout'],
  },
  pay: {
    question: 'What does this role pay, and how often is pay reviewed?',
    topics: ['pay'],
    words: ['pay', 'paid', 'salary', 'salaries', 'raise', 'raises', 'bonus'],
  },
  manager: {
    question: 'Who would I report to, and how do they run the team?',
    topics: ['management'],
    words: ['manager', 'managers', 'management', 'boss', 'bosses'],
  },
  leaving: {
    question: 'Why is this role open, and what did the last person in it go on to do?',
    topics: ['leaving', 'career'],
    words: ['quit', 'resigned', 'turnover'],
  },
  start: {
    question: 'What would my first three months look like, and who would help me?',
    topics: ['starting'],
    words: ['onboarding', 'first week', 'first weeks', 'training'],
  },
  change: {
    question: 'What has changed for this team in the last year, and what changes next?',
    topics: ['layoffs'],
    words: ['layoff', 'layoffs', 'laid off', 'redundancies', 'restructuring', 'reorganization'],
  },
  culture: {
    question: 'When did someone on this team last disagree with a decision, and what came of it?',
    topics: ['culture'],
    words: [],
  },
  inclusion: {
    question: 'How do promotions work here, and who on this team got the last one?',
    topics: ['inclusion'],
    words: ['promotion', 'promotions', 'promoted'],
  },
  steps: {
    question: 'What are the next steps, and when will I hear back either way?',
    topics: ['interviews'],
    words: ['interview', 'interviews', 'recruiter', 'recruiters', 'ghosted'],
  },
  team: {
    question: 'Could I talk with someone I’d work with before I decide?',
    topics: [],
    words: [],
  },
} satisfies Record<string, Subject>
type SubjectKey = keyof typeof SUBJECTS
const subjects = Object.entries(SUBJECTS) as [SubjectKey, Subject][]

const CATEGORY_SUBJECTS: Record<RatingCategory, { about: SubjectKey; name: string }> = {
  rto: { about: 'office', name: 'the office policy' },
  dei: { about: 'inclusion', name: 'diversity and inclusion' },
  workLife: { about: 'hours', name: 'work-life balance' },
  culture: { about: 'culture', name: 'the culture' },
}

/** What the page shows everyone. Rules ignore missing parts. */
export interface Known {
  company: {
    id: string
    slug: string | null
    /** Newest first. */
    policyHistory: readonly Policy[]
    similar: readonly { rating: number | null }[]
  }
  /** Public ratings, without the reader's own. */
  ratings?: Ratings
  /** The latest notes. */
  notes?: readonly { html: string }[]
  /** How many discussions were counted, and how many of them have each topic. */
  talk?: { threads: number; topics: readonly { slug: string; name: string; threads: number }[] }
}

interface Ratings extends RatingNumbers {
  /** The current month, such as 2026-03. */
  month: string
  buckets: readonly MergedMonths[]
  officeDays: OfficeDays | null
  byRelation: readonly { key: string; ratings: number; score: number }[]
}

interface Reason {
  about: SubjectKey
  /** A sentence or two with the number. */
  why: string
  /** Where the reader finds the number. */
  href: string
  /** How many times the threshold the number is, at least 1. */
  strength: number
}

interface Rule {
  id: string
  /** When the question is asked, for readers. */
  when: string
  find(known: Known): (Reason | false | null | undefined)[]
}

const GAP_DAYS = 0.5
const GAP_STARS = 0.5
const LOW_SCORE = 3
const RECENT_MONTHS = 12
const FEW_RATINGS = 10
const SIMILAR_MIN = 2
/** A share of all stars, discussions or notes. */
const SHARE = 1 / 4
const THREADS_MIN = 2
const NOTES_MIN = 3

export const RULES: readonly Rule[] = [
  {
    id: 'office-gap',
    when: 'The days people report differ from the company’s policy by at least half a day a week.',
    find({ company, ratings }) {
      const [policy] = company.policyHistory
      const stated = policy && statedDays(policy)
      const actual = ratings?.officeDays
      if (!policy || stated == null || !actual) return []
      const says = policy.mode === 'remote' ? 'remote' : `${daysText(stated)} a week`
      return [
        atLeast(GAP_DAYS, Math.abs(actual.mean - stated), {
          about: 'office',
          why: `The company says ${says}. ${grouped(actual.ratings)} people say they go in ${daysText(actual.mean)}.`,
          href: ratingsAt(company, 'office-days'),
        }),
      ]
    },
  },
  {
    id: 'office-unstated',
    when: 'People report their days in the office, but we don’t know how many the company asks for.',
    find({ company, ratings }) {
      const [policy] = company.policyHistory
      const actual = ratings?.officeDays
      if (!actual || (policy && statedDays(policy) !== null)) return []
      const says = policy
        ? 'The company says hybrid, but not how many days.'
        : 'Its office policy isn’t on this page yet.'
      return [
        {
          about: 'office',
          why: `${grouped(actual.ratings)} people say they go in ${daysText(actual.mean)} a week. ${says}`,
          href: ratingsAt(company, 'office-days'),
          strength: 1,
        },
      ]
    },
  },
  {
    id: 'policy-changed',
    when: `The office policy changed in the last ${RECENT_MONTHS} months.`,
    find({ company, ratings }) {
      const [policy, before] = company.policyHistory
      if (!policy?.since || !before || !ratings) return []
      const months = monthsBetween(policy.since, ratings.month)
      if (months < 0) return []
      return [
        atLeast(RECENT_MONTHS, 2 * RECENT_MONTHS - months, {
          about: 'office',
          why: `The office policy changed in ${dateText(policy.since)}, from “${policyText(before)}” to “${policyText(policy)}”.`,
          href: ratingsAt(company, 'office-days'),
        }),
      ]
    },
  },
  {
    id: 'low-stars',
    when: `A category averages ${LOW_SCORE} stars or less.`,
    find: ({ company, ratings }) =>
      RATING_CATEGORIES.map(({ key }) => {
        const { score, stars } = ratings?.categories[key] ?? { score: null, stars: [] }
        const people = sum(stars)
        if (score === null || people < BREAKDOWN_MIN) return null
        const { about, name } = CATEGORY_SUBJECTS[key]
        return atLeast(GAP_STARS, LOW_SCORE + GAP_STARS - score, {
          about,
          why: `${grouped(people)} people give ${name} ${inStars(score)} out of 5 on average.`,
          href: ratingsAt(company, `stars-${key}`),
        })
      }),
  },
  {
    id: 'split-stars',
    when: 'At least a quarter give a category one or two stars, and at least a quarter give it four or five.',
    find: ({ company, ratings }) =>
      RATING_CATEGORIES.map(({ key }) => {
        const stars = ratings?.categories[key].stars ?? []
        const people = sum(stars)
        if (people < BREAKDOWN_MIN) return null
        const [low, high] = [sum(stars.slice(0, 2)), sum(stars.slice(3))]
        const { about, name } = CATEGORY_SUBJECTS[key]
        return atLeast(SHARE, Math.min(low, high) / people, {
          about,
          why: `Of ${grouped(people)} people, ${grouped(low)} give ${name} one or two stars, and ${grouped(high)} give it four or five.`,
          href: ratingsAt(company, `stars-${key}`),
        })
      }),
  },
  {
    id: 'changed',
    when: `Ratings from the last ${RECENT_MONTHS} months average at least half a star more or less than earlier ones.`,
    find({ company, ratings }) {
      if (!ratings) return []
      const age = (month: string) => monthsBetween(month, ratings.month)
      const recent = numbersOf(ratings.buckets.filter(({ from }) => age(from) < RECENT_MONTHS))
      const before = numbersOf(ratings.buckets.filter(({ to }) => age(to) >= RECENT_MONTHS))
      if (recent.score === null || before.score === null) return []
      if (Math.min(recent.ratings, before.ratings) < BREAKDOWN_MIN) return []
      return [
        atLeast(GAP_STARS, Math.abs(recent.score - before.score), {
          about: 'change',
          why: `Ratings from the last ${RECENT_MONTHS} months average ${inStars(recent.score)}. Earlier ones average ${inStars(before.score)}.`,
          href: ratingsAt(company, 'trend'),
        }),
      ]
    },
  },
  {
    id: 'candidates',
    when: 'People who interviewed there rate it at least half a star lower than everyone together.',
    find({ company, ratings }) {
      const candidates = partOf(ratings, 'candidate')
      if (!candidates || typeof ratings?.score !== 'number') return []
      return [
        atLeast(GAP_STARS, ratings.score - candidates.score, {
          about: 'steps',
          why: `${grouped(candidates.ratings)} people who interviewed there rate it ${inStars(candidates.score)}. Everyone together rates it ${inStars(ratings.score)}.`,
          href: ratingsAt(company, 'by-connection'),
        }),
      ]
    },
  },
  {
    id: 'former',
    when: 'People who worked there rate it at least half a star lower than people who work there.',
    find({ company, ratings }) {
      const [former, current] = [partOf(ratings, 'former'), partOf(ratings, 'current')]
      if (!former || !current) return []
      return [
        atLeast(GAP_STARS, current.score - former.score, {
          about: 'leaving',
          why: `${grouped(former.ratings)} people who worked there rate it ${inStars(former.score)}. ${grouped(current.ratings)} who work there rate it ${inStars(current.score)}.`,
          href: ratingsAt(company, 'by-connection'),
        }),
      ]
    },
  },
  {
    id: 'similar',
    when: 'It’s rated at least half a star lower than similar companies on average.',
    find({ company, ratings }) {
      const others = company.similar.flatMap(({ rating }) => rating ?? [])
      if (!ratings || ratings.score === null || ratings.ratings < BREAKDOWN_MIN) return []
      if (others.length < SIMILAR_MIN) return []
      const mean = sum(others) / others.length
      return [
        atLeast(GAP_STARS, mean - ratings.score, {
          about: 'team',
          why: `It’s rated ${inStars(ratings.score)}. Similar companies average ${inStars(mean)}.`,
          href: ratingsAt(company, 'similar'),
        }),
      ]
    },
  },
  {
    id: 'few-ratings',
    when: `Fewer than ${FEW_RATINGS} people have rated it.`,
    find({ company, ratings }) {
      const n = ratings?.ratings ?? 0
      if (n === 0 || n >= FEW_RATINGS) return []
      return [
        {
          about: 'team',
          why: `Only ${n === 1 ? '1 person has' : `${n} people have`} rated it so far.`,
          href: ratingsAt(company, 'ratings'),
          strength: FEW_RATINGS / n,
        },
      ]
    },
  },
  {
    id: 'talk',
    when: `At least two of its latest ${TOPICS_COUNTED} discussions have the same topic, and at least a quarter do.`,
    find: ({ company, talk }) =>
      (talk?.topics ?? []).map(({ slug, name, threads }) => {
        const about = subjects.find(([, { topics }]) => topics.includes(slug))?.[0]
        if (!talk || !about || threads < THREADS_MIN) return null
        const all = talk.threads < TOPICS_COUNTED ? 'its' : 'its latest'
        return atLeast(SHARE, threads / talk.threads, {
          about,
          why: `${threads} of ${all} ${talk.threads} discussions have the topic “${name}”.`,
          href: `/discussions?${new URLSearchParams({ company: company.id, topic: slug })}`,
        })
      }),
  },
  {
    id: 'notes',
    when: 'At least three of its latest 20 notes mention the subject, and at least a quarter of them do.',
    find({ company, notes = [] }) {
      const texts = notes.map(({ html }) => wordsOf(html))
      return subjects.map(([about, { words }]) => {
        const used = words.filter((word) => texts.some((text) => text.includes(` ${word} `)))
        const n = texts.filter((text) => used.some((word) => text.includes(` ${word} `))).length
        if (n < NOTES_MIN) return null
        const quoted = used.map((word) => `“${word}”`)
        return atLeast(SHARE, n / texts.length, {
          about,
          why: `${n} of the latest ${texts.length} notes use ${[quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ')}.`,
          href: ratingsAt(company, 'notes'),
        })
      })
    },
  },
]

/** The words that the rule about notes looks for. */
export const NOTE_WORDS = subjects.flatMap(([, { words }]) => (words.length > 0 ? [words] : []))

export interface Question {
  question: string
  /** Null for a question to ask everywhere. */
  reason: { why: string; href: string } | null
}

/** Picks five questions, each about another subject. Those whose number is furthest past its threshold come first. */
export function questionsFor(known: Known): Question[] {
  const reasons = RULES.flatMap((rule) => rule.find(known).filter((it) => !!it))
  const strongest = new Map<SubjectKey, Reason>()
  for (const reason of reasons.toSorted((a, b) => b.strength - a.strength))
    if (!strongest.has(reason.about)) strongest.set(reason.about, reason)
  const everywhere = subjects.filter(([key]) => !strongest.has(key)).map(([key]) => key)
  return [...strongest.keys(), ...everywhere].slice(0, QUESTIONS).map((about) => ({
    question: SUBJECTS[about].question,
    reason: strongest.get(about) ?? null,
  }))
}

/** The reason, if the number reaches its threshold. */
const atLeast = (threshold: number, n: number, reason: Omit<Reason, 'strength'>) =>
  // Computed means can miss their threshold by the last bit.
  n + 1e-9 >= threshold && { ...reason, strength: n / threshold }

const ratingsAt = (company: Known['company'], anchor: string) =>
  `${companyPath(company)}?tab=ratings#${anchor}`

const partOf = (ratings: Ratings | undefined, relation: string) =>
  ratings?.byRelation.find(({ key }) => key === relation)

/** Rounded as scores are everywhere. */
const inStars = (score: number) => score.toFixed(1)

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

/** " they pay for on call weekends " */
const wordsOf = (html: string) =>
  ` ${html
    .replace(/<[^<>]*>/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')} `
