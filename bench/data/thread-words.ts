/** The words that invented threads and comments are made of, the most popular first in every list. */
import { ENDS, MIDDLES, STARTS } from './company-words.ts'
import { createRandom, popularFirst, type Random } from './random.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** Nearly half of what people write; a search leaves them out. */
export const SMALL_WORDS = words(`
  the to and a of in I is that it you for we they was on have are with my be not this but at so as
  me or if had when all there from what by their an do just after no who because about our will
  them than then now been has more out up can only over some other into before very same`)

/** What people at work speak of. */
const SPOKEN_WORDS = words(`
  work office manager team people company week remote days job time pay home boss meeting hours
  leave year month offer salary interview layoffs raise review project email lunch contract
  promotion rumour friday monday thursday desk coffee overtime bonus recruiter culture burnout
  vacation deadline customer client director leadership union policy badge commute parking hybrid
  training mentor onboarding notice severance benefits insurance pension shift schedule weekend
  standup sprint roadmap release outage ticket budget quarter target sales support legal payroll
  hiring freeze reorganisation merger acquisition transfer relocation visa probation resignation
  counteroffer reference feedback appraisal rating calibration ranking stack equity options vesting
  cliff stock grant shares refresh level ladder title grade senior junior intern graduate contractor
  agency headcount backfill requisition referral portfolio assignment whiteboard panel loop
  negotiation range band transparency glassdoor blind harassment inclusion accommodation parental
  maternity paternity sabbatical sick leave doctor therapy stress anxiety quiet quitting boundaries
  slack calendar camera microphone headset chair monitor laptop keyboard kitchen fridge microwave
  dishwasher printer elevator stairs window heating thermostat carpet noise cubicle openplan
  hotdesking whiteboards snacks fruit biscuits kettle teapot mugs birthday cake party retreat
  offsite karaoke bowling hackathon townhall memo announcement newsletter survey anonymous ombudsman
  ethics compliance audit security password laptop vpn outsourcing offshoring automation robots
  warehouse forklift nightshift uniform cashier shelf pallet courier tips kitchenware nurse ward
  teacher classroom school bank branch teller trader analyst auditor partner associate paralegal
  architect builder surveyor driver dispatcher pilot steward conductor mechanic welder electrician
  plumber gardener baker butcher waiter barista chef`)

const VOCABULARY = 60_000

/** After the spoken words come coined ones, so that words of every frequency are there to be found. */
function vocabularyOf(random: Random) {
  const known = new Set(SPOKEN_WORDS)
  while (known.size < VOCABULARY) known.add(coined(random))
  return [...known]
}

function coined(random: Random) {
  let word = random.pick(STARTS)
  for (let n = 1 + random.below(3); n > 0; n--) word += random.pick(MIDDLES)
  return (word + random.pick(ENDS)).toLowerCase()
}

/** Always the same, whatever the seed of the rows: a search's words can be named by their rank. */
export const TALKED_WORDS: readonly string[] = vocabularyOf(createRandom(1, 'vocabulary'))

export const talkedWord = popularFirst(TALKED_WORDS, 0.9)
const smallWord = popularFirst(SMALL_WORDS, 0.7)

const SMALL_SHARE = 0.45
/** Of the texts; so many have a word that hardly another one has. */
const RARE_SHARE = 0.04
const RARE_WORDS = 300_000

export const rareWord = (random: Random) => `zu${random.below(RARE_WORDS).toString(26)}q`

/** Words in a row; a sentence every dozen. */
export function talk(random: Random, length: number): string {
  let text = ''
  let isStart = true
  for (let n = 0; n < length; n++) {
    const word = random.chance(SMALL_SHARE) ? smallWord(random) : talkedWord(random)
    text += isStart ? word.charAt(0).toUpperCase() + word.slice(1) : word
    isStart = random.chance(1 / 12)
    text += n === length - 1 ? '' : isStart ? '. ' : ' '
  }
  return random.chance(RARE_SHARE) ? `${text} ${rareWord(random)}.` : `${text}.`
}
