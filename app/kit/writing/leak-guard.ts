/**
 * Finds words that could tell a colleague who wrote a draft. The guard only advises, and sends nothing
 * anywhere.
 */
import { cutText } from './text.ts'

export type LeakKind =
  | 'email'
  | 'phone'
  | 'own-name'
  | 'handle'
  | 'number'
  | 'date'
  | 'only-one'
  | 'small-team'
  | 'colleague'
  | 'team'
  | 'role'
  | 'tenure'
  | 'recent'

export interface Leak {
  kind: LeakKind
  /** The words found, from `start` up to, but not including, `end`. */
  text: string
  start: number
  end: number
  advice: string
}

/** What this browser knows about the writer. */
interface AboutWriter {
  username?: string
  /** The author's email address, or the part before its @. */
  mailbox?: string
  /** Whether the readers work there, too. */
  isAmongColleagues?: boolean
}

export const LEAK_ADVICE: Record<LeakKind, string> = {
  email: 'An email address leads straight to a person. Leave it out.',
  phone: 'A phone number leads straight to a person. Leave it out.',
  'own-name': 'This looks like your own name. Leave it out to stay anonymous.',
  handle: 'A handle names someone. Say what they do instead, such as "a colleague".',
  number: 'People at your company could look this up. Leave it out, or say it more vaguely.',
  date: 'Few people were there that day. Say "this spring" or "a while ago" instead.',
  'only-one': 'If there’s only one, your colleagues know who it is. Say it more vaguely.',
  'small-team': 'In a small team, it’s easy to guess who wrote this. Leave the size out.',
  colleague: 'People know who works with whom. Say "a manager" or "someone" instead.',
  team: 'Your colleagues know who’s there. Say "some teams" or "one place" instead.',
  role: 'Your colleagues know who does that. Leave your role out.',
  tenure: 'Your colleagues know who joined when. Leave out how long it’s been.',
  recent: 'Your colleagues know who was there that day. Say "lately" instead.',
}

/** No one reads more hints than this, which also bounds the work. */
const MOST_PER_KIND = 50

/** Finds leaks in text order, without overlaps. Takes time linear in the text. */
export function leaksIn(text: string, about: AboutWriter = {}): Leak[] {
  const leaks: Leak[] = []
  const signs = [...SIGNS, ...PEOPLE_BY_NAME, ...NAMED_PLACES]
  if (about.isAmongColleagues) signs.push(...AMONG_COLLEAGUES)
  for (const { kind, pattern, isLeak } of [ADDRESS, ...ownNames(about), ...signs]) {
    let found = 0
    for (const match of text.matchAll(pattern)) {
      if (found === MOST_PER_KIND) break
      const start = match.index
      const end = start + match[0].length
      if (isLeak && !isLeak(match[0])) continue
      if (leaks.some((leak) => start < leak.end && leak.start < end)) continue
      leaks.push({ kind, text: match[0], start, end, advice: LEAK_ADVICE[kind] })
      found++
    }
  }
  return leaks.sort((a, b) => a.start - b.start)
}

/** Mailboxes that are no one's own. */
const OFFICE_MAILBOX =
  /^(?:hr|jobs|careers?|info|contact|press|support|help|office|legal|privacy|hello|sales|admin|no-?reply|recruiting|compliance|ethics|service)\W/i

/** Email addresses and phone numbers, which a form asks about before it sends them. */
export const contactsIn = (text: string): string[] =>
  leaksIn(text)
    .filter(
      ({ kind, text }) => kind === 'phone' || (kind === 'email' && !OFFICE_MAILBOX.test(text)),
    )
    .map(({ text }) => text)

/** All repetitions have an upper bound, or start where nothing similar comes before, so no text takes long. */
interface Sign {
  kind: LeakKind
  pattern: RegExp
  /** A second check that a pattern can hardly express. */
  isLeak?: (found: string) => boolean
}

const words = (list: string) => list.trim().split(/\s+/).join('|')

const MONTHS = words(`
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sept sep oct nov dec`)

/** "The 14th of these" isn't a day of a month. */
const COUNTED = words(`
  floor attempt try time day page street avenue week hour month year call interview round line
  place person anniversary century hole minute grade`)

/** Words for one person. We list trades that end in -er, because "quarter" and "offer" do, too. */
const PERSON = words(`
  woman man girl guy person one employee hire worker member engineer developer programmer designer
  manager director lead leader officer analyst scientist researcher consultant intern trainee
  apprentice graduate student teacher nurse doctor physician pharmacist lawyer accountant recruiter
  writer editor tester administrator admin assistant receptionist driver seller salesperson
  marketer freelancer contractor part-timer parent mother father mom mum dad foreigner immigrant
  expat muslim jew christian hindu veteran vegan`)

const OF_WHOM = words(`
  black asian latina latino latinx white brown gay lesbian queer trans disabled deaf blind pregnant
  autistic female male senior junior remote`)

const SMALL = words('two three four five six seven eight nine ten [2-9] 10')
const PEOPLE = words('people persons men women engineers developers designers colleagues members')

/** Systems and standards that look like a ticket: capitals and a number. */
const NO_TICKETS = new Set(
  `AES ANSI BASE BS CO COVID CVE DIN EN ES EU FIPS FY GPT GSM HIV HTTP IEC IEEE IP IPV ISO LTE MD MP
   NIST PM PS RFC RS RSA SARS SHA SOC TLS US USB UTC UTF VAT WW`.split(/\s+/),
)

/** First, because it may contain a handle and the writer's name. */
const ADDRESS: Sign = {
  kind: 'email',
  pattern:
    /(?<![\p{L}\d.+_%-])[\p{L}\d.+_%-]{1,64}(?:@| ?[([]at[)\]] ?)[\p{L}\d-]{1,63}(?:(?:\.| ?[([]dot[)\]] ?)[\p{L}\d-]{1,63}){1,8}/giu,
}

/** If two kinds overlap, the earlier one wins. A date isn't a phone number. */
const SIGNS: Sign[] = [
  {
    kind: 'date',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:(?:${MONTHS})\\.? (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?![\\p{L}\\d:%])|` +
        `\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?(?:${MONTHS})(?![\\p{L}\\d]))(?:,? (?:19|20)\\d\\d(?!\\d))?`,
      'giu',
    ),
    isLeak: (found) => !isVerb(found) && isDayOfMonth(found),
  },
  {
    kind: 'date',
    pattern:
      /(?<![\p{L}\d./-])(?:(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:19|20)\d\d|\d{1,2}\/\d{1,2}\/\d\d)(?![\p{L}\d]|[./-]\d)/gu,
    isLeak: isCalendarDate,
  },
  {
    kind: 'date',
    pattern: /(?<![\p{L}\d])on (?:1[0-2]|0?[1-9])\/(?:[12]\d|3[01]|0?[1-9])(?![\p{L}\d/])/giu,
  },
  {
    kind: 'date',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])on the \\d{1,2}(?:st|nd|rd|th)(?![\\p{L}\\d]|[ -](?:${COUNTED})s?(?!\\p{L}))`,
      'giu',
    ),
    isLeak: isDayOfMonth,
  },
  {
    kind: 'phone',
    pattern: /(?<![\p{L}\d.,$€£+/#-])(?:\+\d|\(\+?\d|\d)[\d ()./-]{5,22}\d(?![\p{L}\d%]|[.,]\d)/gu,
    isLeak: isPhone,
  },
  {
    kind: 'handle',
    pattern: /(?<![\p{L}\d@./_-])@[a-z][\w.-]{1,38}(?<=\w)(?![\w/])/giu,
    isLeak: isSomebody,
  },
  {
    kind: 'number',
    pattern:
      /(?<![\p{L}\d-])(?:(?:employee|staff|badge|personnel|payroll|worker|ticket|incident|contract)(?: (?:id|no\.?|nr\.?|number))?|(?:case|request|file|reference|ref\.?) (?:id|no\.?|nr\.?|number)|id)(?: is)? ?[:=#]? ?#?[a-z]?\d{3,12}(?![\p{L}\d%]|[,.]\d)/giu,
    isLeak: (found) => !isYear(found),
  },
  {
    kind: 'number',
    pattern: /(?<![\p{L}\d_-])(?:INC|REQ|CHG|RITM|PRB|TASK|SCTASK|CS)\d{5,10}(?![\p{L}\d])/gu,
  },
  {
    kind: 'number',
    pattern: /(?<![\p{L}\d_/-])[A-Z][A-Z0-9]{1,9}-\d{2,7}(?![\p{L}\d]|-\d)/gu,
    isLeak: (found) =>
      !NO_TICKETS.has(found.slice(0, found.indexOf('-')).replace(/(?<!\d)\d+$/, '')),
  },
  {
    kind: 'number',
    pattern: /(?<![\p{L}\d&#/])#\d{3,12}(?![\p{L}\d])/gu,
    isLeak: (found) => !isYear(found),
  },
  {
    kind: 'only-one',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?<!(?:my|your|our|their|his|her) )(?:only|first|sole) ` +
        `(?:[\\p{L}-]{1,20} ){0,3}?(?:${PERSON}) (?:[\\p{L}-]{1,20} ){0,2}?` +
        `(?:in|at|on|from|of|within|across|here)(?! line| five| ten| a )(?: [\\p{L}-]{1,20}){0,2}`,
      'giu',
    ),
    isLeak: (found) =>
      !/^(?:only|first) one of|^first person (?:in|on|at) (?:line|the phone)/i.test(found),
  },
  {
    kind: 'only-one',
    pattern: new RegExp(
      `(?<!\\p{L})the (?:only|sole) (?:${OF_WHOM}) (?:${PERSON})(?!\\p{L})`,
      'giu',
    ),
  },
  {
    kind: 'small-team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:(?:team|group|squad|crew|department|office|startup) (?:of|with) (?:only |just |about )?(?:${SMALL})|` +
        `(?:${SMALL}) of us|(?:${SMALL})[- ](?:person|people|man|woman) (?:team|group|squad|crew|company|department|office|startup)|` +
        `we (?:are|were) (?:only|just) (?:${SMALL})(?: (?:${PEOPLE}))?)(?![\\p{L}\\d%]|[,.]\\d| years| months| weeks| days| hours| minutes)`,
      'giu',
    ),
  },
]

/** These depend on case, because a capital shows a name: "manager Sam", "manager told". */
const eitherCase = (list: string) =>
  words(list.replace(/(?<=^|\s)\p{L}/gu, (letter) => `[${letter.toUpperCase()}${letter}]`))

const NAME = "\\p{Lu}(?:['’]\\p{Lu})?\\p{Ll}[\\p{L}'’-]{0,19}"
const NAMES = `${NAME}(?: ${NAME}){0,2}`
const BY_WHOM = eitherCase('my our the his her their a an your')
const FEW_WORDS = '(?:[\\p{L}&-]{1,20} ){0,3}?'

const ROLE = `(?:${eitherCase(`
  boss manager lead leader director colleague coworker co-worker teammate supervisor mentor chief
  head foreman forewoman recruiter founder owner president chairman partner buddy skip-level
  superintendent officer controller coordinator principal dean professor matron chef captain
  secretary assistant professor master skip replacement successor husband wife`)}|gm|GM|tl|TL|VP|SVP|EVP|CEO|CTO|CFO|COO|CIO|CISO|CMO|CPO|PM|PO)`

const DEPARTMENT = words(`
  HR IT hr it legal Legal payroll Payroll finance Finance procurement purchasing accounting
  Accounting controlling recruiting Recruiting sales Sales marketing Marketing ops Ops operations
  Operations support engineering Engineering compliance security facilities reception logistics
  quality product design warehouse admin training billing audit communications maintenance housekeeping
  catering transport dispatch planning QA benefits risk `)

/** Words that are capitalized where a name would be, or at the start of a sentence. */
const NO_NAMES = new Set(
  `monday tuesday wednesday thursday friday saturday sunday ${MONTHS.replaceAll('|', ' ')} however also then now today
   yesterday tomorrow tonight still so well yes no and but or anyway plus instead meanwhile once again sure okay ok
   oh look overall besides first second third last later sometimes maybe perhaps often otherwise therefore
   afterwards update edit note warning fyi guys folks everyone everybody someone somebody nobody anyone anybody
   people those friends team here there thanks sorry please because since while when if after before until as at
   in on of for with without from to by the this that these those my our your his her their its we they he she it you
   who whoever what where why how is was are were be been do did not never always just only even both all some most
   half many few none one two three four five six seven eight nine ten back work jobs women men girls boys managers
   teams slack zoom outlook excel jira google microsoft amazon apple meta deloitte hello hi dear let got
   working worked started hired moved interviewed interviewing applied talk ask email mail call`.split(
    /\s+/,
  ),
)
const SENTENCE_STARTS = [...NO_NAMES]
  .map((it) => `${it.charAt(0).toUpperCase()}${it.slice(1)}`)
  .join('|')
/** Words before a team or place that don't name it. */
const NAMES_NOTHING = new Set(
  `whole entire old new current last previous next first second small big great own little former direct core
   remote other same best worst amazing awesome wonderful lovely tiny large local global entire own very only
   hr it sales legal finance marketing leadership management executive exec senior support engineering product
   dev development project agile scrum cross-functional head home main corporate back front post medical box oval
   regional central press web career careers internal external customer client company open empty nearest closest
   physical actual loud cold hot quiet satellite nice fancy beautiful boring flagship retail grocery coffee
   hardware book production assembly power data test research private shared social play app google microsoft
   amazon apple tesla disney starbucks walmart building user focus peer interest age target working study
   control college university hiring interview ceo manager boss doctor dentist principal whole in at of for to
   from and or the a an is are was we on with back into near by that this any each every no more than`.split(
    /\s+/,
  ),
)
const TEAMS = words('team squad crew pod tribe guild group unit department dept')
const PLACES = words(`
  office site plant store branch campus warehouse factory depot hub clinic hospital lab mill
  showroom refinery shipyard`)
const ORDINAL = words(`
  \\d{1,2}(?:st|nd|rd|th) first second third fourth fifth sixth seventh eighth ninth tenth top`)

const isName = (word: string) =>
  !NO_NAMES.has(word.toLowerCase()) &&
  !DEPARTMENT.split('|').includes(word) &&
  !/.{3}ly$/.test(word)
/** Everyone knows who leads these. */
const KNOWN = /Elon Musk|Tim Cook|Jeff Bezos|Zuckerberg|Nadella|Pichai|Sam Altman|Jensen Huang/
const hasName = (found: string) =>
  !KNOWN.test(found) &&
  found.split(/[^\p{L}'’-]+/u).some((word) => /^\p{Lu}.*\p{Ll}/u.test(word) && isName(word))
const WHAT_IT_IS = new RegExp(` (?:${TEAMS}|${PLACES}|product|project|app)$`)
const isNamed = (found: string) =>
  found
    .replace(WHAT_IT_IS, '')
    .split(/[^\p{L}\d'’-]+/u)
    .slice(1)
    .some((word) => word.length > 1 && !NAMES_NOTHING.has(word.toLowerCase().replace(/['’]s$/, '')))

const UP_TO_ROLE = new RegExp(`^.*(?<![\\p{L}-])${ROLE}(?![\\p{L}-])`, 'u')
/** Someone's name next to what they do there. */
const PEOPLE_BY_NAME: Sign[] = [
  {
    kind: 'colleague',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:${BY_WHOM}) ${FEW_WORDS}${ROLE}(?: (?:of|for) [\\p{L}-]{1,20})?(?: is)?(?: called| named)?,? ` +
        `(?:[Mm]r\\.? |[Mm]rs\\.? |[Mm]s\\.? |[Dd]r\\.? )?(?:${NAMES})`,
      'gu',
    ),
    isLeak: (found) => hasName(found.replace(UP_TO_ROLE, '')),
  },
  {
    kind: 'colleague',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?!(?:${SENTENCE_STARTS})(?!\\p{L}))(?:(?:Mr|Mrs|Ms|Dr)\\.? )?(?:${NAMES})` +
        `(?:(?<!(?<!\\p{L})(?:[Ii]n|[Aa]t|[Tt]o|[Nn]ear|[Ff]rom) ${NAMES}), (?:my|our|the|an?) ${FEW_WORDS}${ROLE}(?: (?:of|for) [\\p{L}-]{1,20})?(?![\\p{L}’'])| (?:from|in|at) (?:the )?(?:${DEPARTMENT})(?![\\p{L}-]))`,
      'gu',
    ),
    isLeak: hasName,
  },
  {
    kind: 'colleague',
    pattern:
      /(?<![\p{L}\d])(?:[Mm]r|[Mm]rs|[Mm]s|[Mm]x|[Dd]r|[Pp]rof|[Pp]rofessor)\.? (?!teams|office|word|excel|pepper)\p{L}[\p{L}'’-]{2,20}/gu,
  },
]

/** Where someone works, and what on. */
const NAMED_PLACES: Sign[] = [
  {
    kind: 'team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:${ORDINAL}) floor(?!\\p{L})|(?<![\\p{L}\\d])(?<!(?:[Bb]een|be|are|is|was|were|to|can|keep|kept|of|and|or|you|we|they|started) )` +
        `(?:${eitherCase('building warehouse store plant site floor branch tower terminal hangar depot dock campus')}) ` +
        `(?:(?:no\\.? ?|number |# ?)?\\d{1,5}[A-Z]?|[B-HJ-Z]\\d{0,3})(?![\\p{L}\\d%,.]\\d|[\\p{L}\\d%])(?! ?[kKMGT]?B(?!\\p{L})| years| months| days)`,
      'gu',
    ),
  },
  {
    kind: 'team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:${eitherCase('the our my their')}) (?:(?:\\p{Lu}[\\p{L}'’-]{1,20} ){1,3}(?:${PLACES})|[\\p{L}'’-]{3,20} (?:office|campus))(?![\\p{L}-])`,
      'gu',
    ),
    isLeak: isNamed,
  },
  {
    kind: 'team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:(?:${eitherCase('my our')}) (?:[\\p{L}&-]{1,20} ){1,4}?(?:${TEAMS})|(?:${eitherCase('my our the')}) (?:\\p{Lu}\\p{Ll}[\\p{L}&-]{0,19} ){1,3}(?:${TEAMS}|product|project|app))(?![\\p{L}-])`,
      'gu',
    ),
    isLeak: isNamed,
  },
  {
    kind: 'team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:${eitherCase('my our')}) (?:${TEAMS}|product|project|app),? (?:called )?(?:${NAMES})`,
      'gu',
    ),
    isLeak: (found) => hasName(found.slice(3)),
  },
]

const NUMBER = words('one two three four five six seven eight nine ten twelve fifteen twenty a')
const GROUPS = words(`
  team department squad unit division branch office plant site floor store shift group crew lab`)

/** Details that identify the writer to insiders. */
const AMONG_COLLEAGUES: Sign[] = [
  {
    kind: 'team',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:my|our) (?:[\\p{L}&-]{1,20} ){0,2}?(?:${GROUPS})(?!\\p{L})`,
      'giu',
    ),
  },
  {
    kind: 'role',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:I am|I['’]m|I was|I work as|as) (?:an?|the) (?:[\\p{L}-]{1,20} ){0,3}?(?:${PERSON})(?!\\p{L})`,
      'giu',
    ),
  },
  {
    kind: 'tenure',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:I|we)(?:['’]ve| have| was| were)? (?:joined|started|hired|transferred|moved|promoted|come)(?: [\\p{L}-]{1,15}){0,3}? (?:in|on|since) (?:(?:${MONTHS})|(?:19|20)\\d\\d)(?![\\p{L}\\d])`,
      'giu',
    ),
  },
  {
    kind: 'tenure',
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:I|we)(?:['’]ve| have)? (?:been|worked)(?: [\\p{L}-]{1,15}){0,3}? for (?:\\d{1,2}|${NUMBER}) (?:years?|months?|weeks?)(?!\\p{L})`,
      'giu',
    ),
  },
  {
    kind: 'recent',
    pattern:
      /(?<![\p{L}\d])(?:yesterday|this morning|this afternoon|(?:last|this|on) (?:mon|tues|wednes|thurs|fri|satur|sun)day)(?!\p{L})/giu,
  },
]

/** In lower case, "may" and "march" are verbs. */
const isVerb = (found: string) => /(?:^|\s)(?:may|march|mar)/.test(found)

function isDayOfMonth(found: string): boolean {
  const day = Number(/\d{1,2}(?!\d)/.exec(found)?.[0])
  return day >= 1 && day <= 31
}

function isCalendarDate(found: string): boolean {
  const [a = 0, b = 0, c = 0] = found.split(/\D/).map(Number)
  const isDayAndMonth = (day: number, month: number) =>
    day >= 1 && day <= 31 && month >= 1 && month <= 12
  return a > 31 ? isDayAndMonth(c, b) : isDayAndMonth(a, b) || isDayAndMonth(b, a)
}

/** International, with a leading zero, or American. Other digits are amounts or years. */
function isPhone(found: string): boolean {
  const digits = found.replace(/\D/g, '').length
  if (/^\(?\+/.test(found)) return digits >= 8 && digits <= 15
  if (/^\(?0\d/.test(found)) return digits >= 9 && digits <= 15
  return /^(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/.test(found)
}

const EVERYBODY = new Set(['@here', '@everyone', '@channel', '@all', '@media', '@override'])
function isSomebody(found: string): boolean {
  return !EVERYBODY.has(found.toLowerCase())
}

const isYear = (found: string) => /(?:^|\D)(?:19|20)\d\d$/.test(found)

/** Parts of names that are also words, and would cause warnings everywhere. */
const COMMON_WORDS = new Set(
  `and the for you not may will mark rich bill grant hope joy rose rob art pat sue drew chase max
   dean june april august summer autumn winter faith grace jack ray guy dick lane page price field
   ford king knight young long short small little large black white brown green gray grey blue red
   gold silver cook baker carpenter farmer fisher hunter potter day week night may best good new old low high hall hill wood woods stone rivers brook lake
   love story case law bond cash sales work mail post office info contact hello jobs home team admin
   support test user private public main account anonymous web dev box name one two can was`.split(
    /\s+/,
  ),
)

/** The writer's own names: the whole, with other separators, and each longer part. */
function ownNames({ username, mailbox }: AboutWriter): Sign[] {
  const names = [username, mailbox?.split('@')[0]].map((name) => cutText(name?.trim() ?? '', 64))
  return names.flatMap((name, index) => {
    const parts = name.split(/[._+\s-]+|\d+/).filter(Boolean)
    const isWhole = name.length >= 3 && !COMMON_WORDS.has(name.toLowerCase())
    const forms = [
      ...(isWhole ? [literal(name)] : []),
      ...(parts.length > 1 ? [parts.map(literal).join('[ ._-]?')] : []),
      // A username is made up, so its parts, such as "Teapot", aren't anyone's name.
      ...(index === 0 ? [] : parts.filter(isDistinctive).map(literal)),
    ]
    if (forms.length === 0) return []
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
    return [{ kind: 'own-name' as const, pattern }]
  })
}

const isDistinctive = (part: string) => part.length >= 3 && !COMMON_WORDS.has(part.toLowerCase())

const literal = (name: string) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
