import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contactsIn, LEAK_ADVICE, type LeakKind, leaksIn } from './leak-guard.ts'

const about = { username: 'CandidTeapot4711', mailbox: 'dana.miller' }
const found = (text: string) => leaksIn(text, about).map((leak) => `${leak.kind}: ${leak.text}`)

type Drafts = [draft: string, words: string][]

/** What only those who know the place understand. */
const AMONG_COLLEAGUES = {
  team: [
    ['my team has to move', 'my team'],
    ['nobody at our office comes in', 'our office'],
  ],
  role: [
    ['I am a senior data engineer', 'I am a senior data engineer'],
    ['as the night nurse I see it', 'as the night nurse'],
  ],
  tenure: [
    ['I joined the company in 2019', 'I joined the company in 2019'],
    ['We were hired in March', 'We were hired in March'],
    ['I have worked here for six years', 'I have worked here for six years'],
  ],
  recent: [
    ['they said so yesterday', 'yesterday'],
    ['It was announced last Tuesday', 'last Tuesday'],
  ],
} satisfies Partial<Record<LeakKind, Drafts>>

const TELLING: Record<Exclude<LeakKind, 'role' | 'tenure' | 'recent'>, Drafts> = {
  colleague: [
    ['my manager Sam Ortiz said no', 'my manager Sam Ortiz'],
    ['our new team lead Kim said so', 'our new team lead Kim'],
    ['Ask Ms. Okafor about it', 'Ms. Okafor'],
    ['Then Tom, our VP of sales, left', 'Tom, our VP of sales'],
    ['I heard it from Priya from HR', 'Priya from HR'],
  ],
  team: [
    ['nobody at our Lisbon office comes in', 'our Lisbon office'],
    ['It is on the 14th floor', '14th floor'],
    ['they searched Building 7 twice', 'Building 7'],
    ['my team, Payments Core, is gone', 'my team, Payments Core'],
    ['our checkout team had to leave', 'our checkout team'],
    ['my product Atlas is dead', 'my product Atlas'],
  ],
  email: [
    ['Write to dana@acme.example, please', 'dana@acme.example'],
    ['first.last+jobs@mail.acme.co.uk knows', 'first.last+jobs@mail.acme.co.uk'],
    ['ask hr (at) acme (dot) com', 'hr (at) acme (dot) com'],
    ['(boss@acme.example)', 'boss@acme.example'],
  ],
  phone: [
    ['Call +49 30 1234567 today', '+49 30 1234567'],
    ['Call +1 (415) 555-0123', '+1 (415) 555-0123'],
    ['(415) 555-0123 is HR', '(415) 555-0123'],
    ['415-555-0123', '415-555-0123'],
    ['my desk: 0171/12345678', '0171/12345678'],
  ],
  'own-name': [
    ['I am Dana Miller by the way', 'Dana Miller'],
    ['they said "dana, wait"', 'dana'],
    ["that was MILLER's idea", 'MILLER'],
    ['as dana_miller on the wiki', 'dana_miller'],
    ['I am candidteapot4711 elsewhere', 'candidteapot4711'],
  ],
  handle: [
    ['Thanks @jonas for the help', '@jonas'],
    ['(@erin.b said so)', '@erin.b'],
  ],
  number: [
    ['I am employee 48213', 'employee 48213'],
    ['ID: 48213', 'ID: 48213'],
    ['my badge number is 4821', 'badge number is 4821'],
    ['closed JIRA-1234 again', 'JIRA-1234'],
    ['since INC0012345', 'INC0012345'],
    ['see #48213', '#48213'],
    ['case no. 77812 was mine', 'case no. 77812'],
  ],
  date: [
    ['They let us go on March 14.', 'March 14'],
    ['on 14 March, at noon', '14 March'],
    ['the 14th of March', '14th of March'],
    ['Since Sept. 3rd, 2025', 'Sept. 3rd, 2025'],
    ['am 14.03.2026 war es', '14.03.2026'],
    ['it was 2026-03-14', '2026-03-14'],
    ['on 3/14/2026 and later', '3/14/2026'],
    ['We met on the 14th.', 'on the 14th'],
    ['On the 3rd they fired us', 'On the 3rd'],
  ],
  'only-one': [
    ['I am the only woman in my team', 'only woman in my team'],
    ['the first hire in Berlin', 'first hire in Berlin'],
    ['as the only Black engineer at the company', 'only Black engineer at the company'],
    ['the only one in my office with children', 'only one in my office'],
    ['being the only trans person', 'the only trans person'],
    ['the sole recruiter working from Vienna', 'sole recruiter working from Vienna'],
  ],
  'small-team': [
    ['our team of 4 does it all', 'team of 4'],
    ['there are three of us', 'three of us'],
    ['my two-person team', 'two-person team'],
    ['a 5 person startup', '5 person startup'],
    ['a group of only six', 'group of only six'],
    ['we are only 3 people', 'we are only 3 people'],
  ],
}

describe.each(Object.entries(TELLING))('the leak guard finds, of the kind %s,', (kind, drafts) => {
  test.each(drafts)('the guard finds in %j: %j', (draft, words) => {
    const [leak, ...more] = leaksIn(draft, about)
    expect(more).toEqual([])
    expect(leak).toMatchObject({ kind, text: words, advice: LEAK_ADVICE[kind as LeakKind] })
    expect(draft.slice(leak?.start, leak?.end)).toBe(words)
  })
})

describe.each(Object.entries(AMONG_COLLEAGUES))(
  'among colleagues it also finds, of the kind %s,',
  (kind, drafts) => {
    test.each(drafts)('the guard also finds in %j: %j', (draft, words) => {
      expect(leaksIn(draft, { ...about, isAmongColleagues: true })).toMatchObject([
        { kind, text: words, advice: LEAK_ADVICE[kind as LeakKind] },
      ])
      expect(leaksIn(draft, about)).toEqual([])
    })
  },
)

test.each([
  'Is the bonus paid in full this year?',
  'Some teams move next year, and nobody says which.',
  'as a company we should do better, as everybody knows',
  'We started in a good mood, and the canteen is fine',
  'My manager is fine. The director left.',
])('the guard keeps quiet there about %j', (draft) => {
  expect(leaksIn(draft, { ...about, isAmongColleagues: true })).toEqual([])
})

test.each([
  'Meet me @ 5pm',
  'npm i @types/node, then @everyone waits',
  'from 2019-2023 we grew to 120,000 people',
  'a salary of 100 000 000 or 1.500.000',
  'the server is 192.168.100.200',
  'version 10.0.0.24 of it',
  'In March 2026, or in 2026, in March',
  'you may 10 times ask, they march 20 miles',
  'It is the 14th time, in the 20th century',
  'My manager Monday is not my manager Friday. My Product Manager is fine.',
  'the head office, our sales team, my old team, the Apple Store, the home office',
  'Everyone in HR knows. In Berlin, the manager left. However, my boss stayed.',
  'Elon Musk, the CEO, will not read this',
  'On the 3rd interview they asked again',
  'the 40th of March',
  'COVID-19, UTF-8, ISO-9001, SHA-256, RFC-2616 and GPT-4',
  'I am number #1 in #2024',
  'an employee of 30 years; employees 500 and more; 300 staff',
  'I have no idea what the id is',
  'the only thing in the office that works',
  'my first manager at the company',
  'the first time in years, the first week at work',
  'Only one in five people got a raise',
  'first come, first served in the canteen',
  'one of us, most of us, three of the managers',
  'a team of 40, a team of 4,000, a team of 10%',
  'Danae and Millerton are places',
  'a teapot is candid',
  'R&D, 24/7, 50/50, 9-5, 40h',
])('the leak guard keeps quiet about %j', (draft) => {
  expect(found(draft)).toEqual([])
})

describe('ordinary posts', () => {
  test.each([
    'They call it flexible, but everybody is expected in three days a week. Badge data goes to the managers, and people with children struggle. Has anybody managed to negotiate?',
    'Salary bands here: junior 52k–60k, senior 75k–95k. No bonus since 2023. I left for a 20% raise.',
    'Interview had 4 rounds over six weeks: a call with a recruiter, a take-home task of 5 hours, a panel, and a chat with the VP. The take-home was unpaid.',
    'After the second reorganisation in 18 months, morale is low. The only good thing in all of this is my manager, who is honest about what she does not know.',
    '## Pros\n\n- good coffee\n- 30 days of vacation\n- no meetings on Fridays\n\n## Cons\n\n1. slow promotions\n2. open-plan office for 200 people',
    'Is the on-call rota as bad as people say? I heard it is one week in four, paid at 250 per week, and that nobody looks at alerts from 9 to 5 anyway.',
    'The ERG for parents is great, and parental leave is 16 weeks for everybody. Lactation rooms on each floor. I may come back after my leave.',
    'We went from Scrum to SAFe to "whatever works". CI takes 45 minutes, tests are flaky, and the monolith is on Java 8. Python 3.12 is allowed for tooling since last year.',
    'Layoffs were announced by e-mail at 7:30 in the morning. 12% of the company, mostly support and recruiting. Severance was 2 weeks per year of work.',
    'The first time I asked for a raise, they said "next quarter". The second time, too. In March I stopped asking and started to apply elsewhere.',
    'Diversity on the website, but the leadership page shows twelve men with the same haircut. HR says that it takes time. It has been five years!',
  ])('an ordinary post that reveals nothing gets no warning: %j', (post) => {
    expect(found(post)).toEqual([])
  })

  test('an ordinary post gets a warning for just what it reveals, in the order of the text', () => {
    const post =
      'I joined on 2 May 2025 as the first designer in the Lisbon office. There are three of us by now. My manager (m.lopez@acme.example) is fine; ticket ACME-4711 is not.'
    expect(found(post)).toEqual([
      'date: 2 May 2025',
      'only-one: first designer in the Lisbon',
      'small-team: three of us',
      'email: m.lopez@acme.example',
      'number: ACME-4711',
    ])
  })
})

test('most of 240 sentences get the verdict of their author, who hadn’t seen the guard', () => {
  const sentences = JSON.parse(
    readFileSync(new URL('leak-sentences.fixture.json', import.meta.url), 'utf8'),
  ) as [text: string, hints: [kind: string, words: string][]][]
  const hits: string[] = []
  const wanted: string[] = []
  const given: string[] = []
  for (const [text, hints] of sentences) {
    const leaks = leaksIn(text)
    given.push(...leaks.map(({ text }) => text))
    for (const [kind, words] of hints) {
      wanted.push(words)
      const [start, end] = [text.indexOf(words), text.indexOf(words) + words.length]
      const isHit = leaks.some((it) => it.kind === kind && it.start < end && start < it.end)
      if (isHit) hits.push(words)
    }
  }
  // Measured: 0.96 and 0.99.
  expect(hits.length / wanted.length).toBeGreaterThan(0.9)
  expect(hits.length / given.length).toBeGreaterThan(0.95)
})

test('a form asks about people’s addresses and numbers, and not about an office’s', () => {
  expect(contactsIn('Write to dana@acme.example or hr@acme.example, call 0171/12345678')).toEqual([
    'dana@acme.example',
    '0171/12345678',
  ])
})

test('an address with one’s own name in it is one finding', () => {
  expect(found('dana.miller@acme.example')).toEqual(['email: dana.miller@acme.example'])
})

test('a name with pattern characters in it is taken literally', () => {
  expect(
    leaksIn('call c++(dev) or cxx', { username: 'c++(dev)' }).map((leak) => leak.text),
  ).toEqual(['c++(dev)'])
  expect(leaksIn('I am tea-pot', { username: 'tea-pot' }).map((leak) => leak.text)).toEqual([
    'tea-pot',
  ])
})

test('a mailbox that’s an ordinary word doesn’t warn in every sentence, but its whole address does', () => {
  const will = { mailbox: 'will.may@acme.example' }
  expect(leaksIn('You will see, it may work', will)).toEqual([])
  expect(leaksIn('said Will May', will)).toMatchObject([{ kind: 'own-name', text: 'Will May' }])
})

test('the guard works without knowing the writer', () => {
  expect(leaksIn('')).toEqual([])
  expect(leaksIn('Dana Miller', {})).toEqual([])
  expect(leaksIn('Dana', { username: '', mailbox: '' })).toEqual([])
})

test('20,000 nasty characters of any kind take moments, and give a limited number of findings', () => {
  const nasty =
    `a|a.|a@|a@b.|1|1 |+1 |(1|0 |1-|1/|2026-|@a|@a.|only |first a |the only woman |the only
    woman in |team of |three of us |my manager |My Boss Sam |Sam, our |Sam from |the Lisbon office |our team |Building 7 |A|Aa |Aa, |#123 |A-|AB-1|INC1|id |id 1|employee |March |March 1|on the 1|14 |(at)
    |a (dot) b|we are only |dana |dana.|Dana Miller|-|.|_|${'\u00e9'}|a b c |only a-`
      .split('|')
      .map((part) => part.repeat(Math.ceil(20_000 / part.length)).slice(0, 20_000))
  for (const draft of nasty) {
    const before = process.cpuUsage()
    const leaks = leaksIn(draft, { ...about, isAmongColleagues: true })
    const { user } = process.cpuUsage(before)
    // Measured: below 20 ms. A quadratic pattern takes seconds.
    expect(user / 1000, draft.slice(0, 20)).toBeLessThan(200)
    expect(leaks.length).toBeLessThan(500)
  }
})
