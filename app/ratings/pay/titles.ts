/**
 * Families of job titles, and other ways to say them. A title is kept as its family, and its level isn't kept. No I/O
 * here.
 */
import { foldText, slugOf } from '#app/kit/writing/text.ts'

/** A family's name, then spellings that people search for. */
const FAMILIES = `
Software engineer: software developer, programmer, coder, swe, application developer, full stack developer, fullstack engineer
Frontend engineer: frontend developer, front-end developer, web developer, ui engineer, javascript developer, react developer
Backend engineer: backend developer, back-end developer, java developer, python developer, server engineer
Mobile engineer: ios developer, android developer, app developer
Embedded engineer: firmware engineer, embedded software developer, fpga engineer
Game developer: game programmer, gameplay engineer, unity developer
Machine learning engineer: ml engineer, ai engineer, deep learning engineer
Data scientist: applied scientist, decision scientist
Data analyst: bi analyst, business intelligence analyst, reporting analyst, analytics
Data engineer: etl developer, data warehouse engineer, analytics engineer
Database administrator: dba, database engineer
Site reliability engineer: sre, devops engineer, platform engineer, production engineer
Cloud engineer: cloud architect, aws engineer, azure engineer, infrastructure engineer
Network engineer: network administrator, network architect
Systems administrator: sysadmin, system administrator, it administrator, linux administrator
Security engineer: cybersecurity, information security, security analyst, penetration tester, appsec
IT support: helpdesk, help desk, it technician, desktop support, service desk
Test engineer: qa engineer, quality assurance engineer, tester, sdet, test automation
Solutions architect: software architect, enterprise architect, it architect
Engineering manager: software development manager, development manager, dev lead
Technical program manager: tpm
Technical writer: documentation writer, documentation engineer
Product manager: product owner, po, pm
Product designer: ux designer, ui designer, user experience designer, interaction designer
User researcher: ux researcher, design researcher
Graphic designer: visual designer, brand designer, illustrator
Research scientist: researcher, postdoc, scientist
Project manager: program manager, pmo, project coordinator
Scrum master: agile coach
Business analyst: it business analyst, requirements engineer, systems analyst
Management consultant: strategy consultant, consultant, business consultant
IT consultant: sap consultant, technology consultant, implementation consultant
Sales engineer: solutions engineer, presales consultant
Account executive: sales executive, sales representative, salesperson, sales manager
Account manager: key account manager, client manager
Business developer: sales development representative, sdr, bdr, business development manager
Customer success manager: csm, client success
Customer service representative: call center agent, customer support, customer care, contact center
Retail salesperson: shop assistant, sales assistant, store associate
Cashier: checkout assistant
Store manager: shop manager, branch manager retail
Buyer: purchaser, procurement manager, category manager, sourcing manager
Supply chain manager: supply chain planner, demand planner, logistics manager
Logistics coordinator: freight forwarder, shipping clerk, dispatcher
Warehouse worker: picker, packer, order picker, storekeeper, forklift driver
Truck driver: lorry driver, hgv driver, cdl driver
Delivery driver: courier, postman, mail carrier
Bus driver: tram driver, coach driver
Train driver: locomotive driver, engine driver
Pilot: airline pilot, first officer, captain
Flight attendant: cabin crew, steward, stewardess
Marketing manager: brand manager, marketing specialist, growth marketer, performance marketer
Content writer: copywriter, content manager, editor
Social media manager: community manager
Communications manager: public relations, pr manager, spokesperson
Journalist: reporter, news editor
Photographer: videographer, camera operator
Video editor: motion designer, film editor
Translator: interpreter, localization specialist
HR manager: human resources manager, people partner, hr business partner, hr generalist
Recruiter: talent acquisition, sourcer, headhunter
Trainer: learning and development, instructional designer
Office manager: facility manager, office administrator
Executive assistant: personal assistant, secretary, management assistant
Administrative assistant: office clerk, administrator, receptionist, data entry clerk
Accountant: bookkeeper, accounting clerk, general ledger accountant
Financial analyst: fp&a analyst, finance analyst, business controller
Controller: financial controller, finance manager
Auditor: internal auditor, external auditor
Tax advisor: tax consultant, tax accountant
Payroll specialist: payroll clerk, payroll accountant
Investment banker: mergers and acquisitions, m&a analyst, corporate finance
Trader: market maker, sales trader
Quantitative analyst: quant, quantitative researcher, quant developer
Portfolio manager: asset manager, fund manager
Wealth manager: private banker, relationship manager, financial advisor
Bank clerk: bank teller, loan officer, credit analyst
Risk manager: risk analyst, credit risk, market risk
Compliance officer: compliance manager, aml analyst, kyc analyst
Actuary: actuarial analyst
Underwriter: insurance underwriter
Claims adjuster: claims handler, loss adjuster
Insurance agent: insurance broker, insurance advisor
Real estate agent: estate agent, realtor, property manager
Lawyer: attorney, solicitor, barrister, legal counsel, associate lawyer
Paralegal: legal assistant, legal secretary
Doctor: physician, general practitioner, gp, surgeon, resident doctor, consultant doctor
Dentist: orthodontist
Nurse: registered nurse, rn, nursing
Nursing assistant: care assistant, caregiver, carer, healthcare assistant
Midwife: obstetric nurse
Pharmacist: pharmacy technician
Physiotherapist: physical therapist, occupational therapist
Psychologist: psychotherapist, counselor, therapist
Paramedic: emergency medical technician, ambulance
Laboratory technician: lab technician, medical laboratory scientist, lab assistant
Veterinarian: vet, veterinary
Clinical researcher: clinical research associate, cra, clinical trial manager
Regulatory affairs manager: regulatory affairs specialist, drug safety
Social worker: case worker, youth worker
Teacher: school teacher, primary teacher, secondary teacher, tutor
Kindergarten teacher: childcare worker, nursery teacher, early years educator, nanny
Professor: lecturer, university teacher, assistant professor
Librarian: archivist
Mechanical engineer: design engineer mechanical, cad engineer
Electrical engineer: electronics engineer, hardware engineer, power engineer
Civil engineer: structural engineer, site engineer
Chemical engineer: process engineer, chemist
Industrial engineer: manufacturing engineer, production manager, lean manager
Quality manager: quality engineer, quality inspector
Aerospace engineer: aeronautical engineer
Automotive engineer: vehicle engineer
Biotechnologist: bioengineer, biologist, biochemist
Environmental engineer: sustainability manager, esg manager
Architect: building architect, urban planner, landscape architect
Interior designer: interior architect
Construction worker: builder, bricklayer, labourer, roofer
Construction manager: site manager, foreman
Electrician: electrical fitter
Plumber: heating engineer, pipe fitter
Carpenter: joiner, cabinet maker
Mechanic: car mechanic, mechatronics technician, auto technician
Maintenance technician: service technician, field engineer, industrial mechanic
Machine operator: production worker, factory worker, assembler, cnc operator
Welder: metalworker, toolmaker
Cook: chef, sous chef, kitchen assistant, baker
Waiter: waitress, server, barista, bartender
Hotel receptionist: front desk agent, concierge, hotel manager
Travel agent: tour operator, event manager
Hairdresser: beautician, cosmetologist
Cleaner: janitor, housekeeper
Security guard: security officer, bouncer
Police officer: policeman, detective
Firefighter: fireman
Soldier: military officer
Civil servant: government officer, policy officer, public administration
Farmer: agricultural worker, gardener
Operations manager: operations specialist, coo operations
General manager: managing director, country manager, branch manager
Chief executive: ceo, founder
Chief officer: cfo, cto, coo, cmo, chief technology officer, chief financial officer`

/** Words about a level, which people type with their title. We don't keep them. */
const LEVELS = new Set(
  'senior sr snr junior jr lead leading principal staff associate mid entry level head of chief vp director distinguished trainee apprentice intern graduate i ii iii iv v l1 l2 l3 l4 l5 l6 l7 l8 l9 e3 e4 e5 e6 e7 ic1 ic2 ic3 ic4 ic5'.split(
    ' ',
  ),
)

export interface Title {
  key: string
  name: string
}

interface Searchable extends Title {
  spellings: string[][]
}

const wordsOf = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

let searchable: Searchable[] | undefined

function families(): Searchable[] {
  searchable ??= FAMILIES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', others = ''] = line.split(': ')
      return { key: slugOf(name), name, spellings: [name, ...others.split(', ')].map(wordsOf) }
    })
  return searchable
}

export const TITLE_KEYS: readonly string[] = /* @__PURE__ */ families().map(({ key }) => key)

export const titleName = (key: string) => families().find((title) => title.key === key)?.name ?? key

/**
 * The families that fit what someone typed, the best first. "Sr. front-end dev" finds the frontend engineer. All words but
 * the level's must begin a word of one spelling, so a name or an address finds nothing.
 */
export function titlesLike(typed: string): Title[] {
  const all = wordsOf(typed)
  const named = all.filter((word) => !LEVELS.has(word))
  const words = named.length > 0 ? named : all
  const found = families().flatMap(({ key, name, spellings }) => {
    const fits = spellings.map((spelling) => likeness(words, spelling))
    const best = Math.max(...fits)
    return best > 0 ? [{ key, name, best: fits[0] === best ? best + 0.1 : best }] : []
  })
  return found
    .toSorted((one, other) => other.best - one.best || one.name.localeCompare(other.name, 'en'))
    .map(({ key, name }) => ({ key, name }))
}

/** 0 if a word begins no word of the spelling, 1 if all its words are there, in between otherwise. */
function likeness(words: string[], spelling: string[]): number {
  const whole = spelling.filter((it) => words.includes(it)).length
  const begins = words.every((word) => spelling.some((it) => it.startsWith(word)))
  return begins ? (1 + whole) / (1 + spelling.length) : 0
}
