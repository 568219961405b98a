/** The words that all invented texts consist of, most popular first in every list. */
import { createRandom, popularFirst, type Random } from './random.ts'

const words = (text: string) => text.trim().split(/\s+/)

export interface Industry {
  category: string
  /** What such companies put in their names. */
  inNames: string[]
  /** What they do: "We …" */
  doing: string[]
}

export const INDUSTRIES = `
  Technology | Technologies, Software, Systems, Labs, Digital, Cloud, Data, Networks, Robotics, Analytics | builds software for mid-sized firms, runs a cloud platform for developers, makes data tools that analysts enjoy, keeps networks of schools and clinics alive
  Retail | Stores, Retail, Market, Trading, Outlet, Bazaar | sells clothes and household goods, runs neighbourhood stores and an online shop, trades in everyday goods
  Healthcare | Health, Medical, Care, Clinics, Therapeutics, Diagnostics | runs clinics and home care, makes diagnostic devices, cares for patients after surgery
  Financial Services | Capital, Financial, Credit, Payments, Wealth, Funds | lends to small businesses, manages pensions and savings, processes card payments
  Construction | Construction, Builders, Homes, Contracting, Roofing, Concrete | builds family homes, repairs bridges and roads, pours concrete for large sites
  Food & Beverage | Foods, Bakery, Brewing, Kitchens, Beverages, Farms | bakes bread for supermarkets, brews beer and lemonade, packs vegetables the day they are picked
  Consulting | Consulting, Advisors, Strategy, Partners, Associates | advises public authorities, helps manufacturers plan their next decade, trains leaders and teams
  Manufacturing | Manufacturing, Industries, Works, Tools, Machinery, Components | makes valves and pumps, turns metal parts to order, supplies machine tools to workshops
  Logistics | Logistics, Freight, Shipping, Transport, Couriers, Haulage | moves freight by road and rail, runs warehouses near the port, delivers parcels by bicycle
  Education | Learning, Academy, Education, Schools, Tutors | teaches languages online, runs nurseries and schools, writes textbooks
  Real Estate | Properties, Realty, Estates, Housing, Land | manages rented homes, develops office space, finds shops for tenants
  Hospitality | Hotels, Resorts, Restaurants, Catering, Inns | runs small hotels by the sea, caters for weddings and conferences, franchises restaurants
  Media | Media, Studios, Publishing, Pictures, Press | publishes magazines, produces podcasts and films, prints newspapers
  Marketing | Marketing, Creative, Brands, Agency, Communications | plans campaigns for local brands, designs packaging, buys advertising space
  Energy | Energy, Power, Solar, Wind, Electric, Gas | installs solar panels, operates wind farms, supplies gas and heat
  Automotive | Motors, Automotive, Auto Parts, Garage, Vehicles | sells and repairs cars, makes brake parts, leases vans to tradespeople
  Insurance | Insurance, Assurance, Underwriters, Mutual | insures homes and farms, underwrites marine cargo, handles claims for other insurers
  Legal | Law, Legal, Solicitors, Attorneys | practises family law, represents inventors, drafts contracts for start-ups
  Pharmaceuticals | Pharma, Biosciences, Laboratories, Biotech | develops vaccines, makes generic medicines, tests compounds for larger firms
  Telecommunications | Telecom, Mobile, Wireless, Fibre, Connect | lays fibre in rural areas, runs a mobile network, sells telephone systems
  Agriculture | Agriculture, Growers, Seeds, Dairy, Orchards | grows apples and pears, breeds seeds, keeps dairy cattle
  Banking | Bank, Banking, Savings, Trust | serves savers in the region, finances exporters, runs a bank without branches
  Aerospace | Aerospace, Aviation, Airways, Space | makes cabin parts, flies charter routes, designs small satellites
  Government | Authority, Council, Agency, Department | runs public services for the county, inspects workplaces, keeps the land register
  Nonprofit | Foundation, Trust, Alliance, Society | funds libraries, helps refugees find homes, protects rivers and woods
  Staffing | Staffing, Recruitment, Talent, Personnel | finds nurses and engineers, places seasonal workers, runs payroll for others
  Fashion | Fashion, Apparel, Textiles, Shoes | designs workwear, weaves cloth, sells second-hand shoes
  Security | Security, Protection, Cyber, Guard | guards events and offices, tests computer systems for holes, installs alarms
  Entertainment | Entertainment, Games, Events, Theatres | makes mobile games, stages concerts, runs cinemas
  Sports & Fitness | Fitness, Sports, Athletics, Gyms | runs gyms, makes rackets and balls, organises marathons
  Environmental Services | Environmental, Recycling, Waste, Water | recycles glass and paper, cleans water, measures noise and dust
  Architecture | Architects, Design, Planning | designs schools, plans town centres, restores old buildings
  Chemicals | Chemicals, Polymers, Coatings, Plastics | makes paints and varnishes, moulds plastic parts, supplies solvents
  Mining | Mining, Minerals, Quarries, Metals | digs gravel and sand, explores for copper, trades in scrap metal
  Travel | Travel, Tours, Holidays, Cruises | arranges walking tours, sells rail journeys, runs river cruises
  Veterinary | Veterinary, Animal Care, Pets | treats horses and cattle, runs animal hospitals, makes food for cats
  Furniture | Furniture, Interiors, Joinery | makes chairs and tables, fits kitchens, upholsters seats
  Printing | Printing, Graphics, Packaging | prints labels, makes cardboard boxes, binds books
  Research | Research, Institute, Sciences | studies batteries, surveys public opinion, models the weather
  Other | Group, Services, Enterprises, Holdings, Ventures, Company | does a little of everything, holds shares in family firms, serves other businesses`
  .trim()
  .split('\n')
  .map((line): Industry => {
    const [category = '', inNames = '', doing = ''] = line.trim().split(' | ')
    return { category, inNames: inNames.split(', '), doing: doing.split(', ') }
  })

const listed = (text: string) => text.trim().split(/,\s+/)

export const SURNAMES = words(`Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez
  Martinez Hernandez Lopez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson
  White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores
  Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Müller Schmidt Schneider
  Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder Neumann
  Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Dubois Lefèvre Moreau Laurent Fournier
  Girard Mercier Dupont Bonnet Silva Santos Oliveira Souza Pereira Costa Almeida Araújo Kowalski
  Nowak Wiśniewski Wójcik Lewandowski Novák Svoboda Horváth Nagy Kovács Szabó Andersson Johansson
  Karlsson Nilsson Larsen Hansen Olsen Jensen Nielsen Virtanen Korhonen Mäkinen Papadopoulos
  Ivanov Petrov Sokolov Volkov Yılmaz Kaya Demir Çelik Şahin Tanaka Suzuki Takahashi Watanabe Ito
  Yamamoto Nakamura Kobayashi Kim Park Choi Jung Kang Wang Zhang Chen Liu Yang Huang Zhao Wu Zhou
  Sharma Patel Singh Gupta Kumar Reddy Rao Iyer Khan Hussain Ahmed Okafor Adeyemi Mensah Mwangi
  Abebe Diallo Traoré O'Brien O'Connor Murphy Kelly Walsh Byrne Ryan McCarthy Gallagher Doyle
  Fitzgerald Quinn Zhuravlev Quispe Xhaka Vázquez Ibáñez Núñez Zúñiga Björk Guðmundsdóttir Åkesson`)

export const CITIES = words(`London Paris Berlin York Chicago Boston Denver Austin Seattle Portland
  Phoenix Dallas Houston Atlanta Miami Toronto Vancouver Montréal Dublin Manchester Bristol Leeds
  Glasgow Edinburgh Cardiff Belfast Madrid Barcelona Sevilla Lisbon Porto Milano Torino Roma Napoli
  Zürich Genève Basel Wien Graz München Hamburg Köln Frankfurt Stuttgart Leipzig Dresden Amsterdam
  Rotterdam Utrecht Brussels Antwerp Ghent Copenhagen Aarhus Malmö Göteborg Stockholm Oslo Bergen
  Helsinki Tampere Tallinn Riga Vilnius Warsaw Kraków Gdańsk Prague Brno Budapest Bucharest Sofia
  Athens Istanbul Ankara Cairo Lagos Nairobi Accra Johannesburg Dubai Mumbai Delhi Chennai Kolkata
  Singapore Jakarta Bangkok Hanoi Manila Tokyo Osaka Kyoto Seoul Busan Shanghai Shenzhen Taipei
  Sydney Melbourne Brisbane Perth Auckland Wellington Bogotá Lima Quito Santiago Montevideo
  Córdoba Recife Curitiba Monterrey Guadalajara Querétaro Albuquerque Zagreb Xiamen Qingdao`)

export const ADJECTIVES = words(`Global United American National First Advanced Premier General
  Northern Southern Western Eastern Pacific Atlantic Continental Universal Modern Golden Silver Blue
  Green Red Bright Clear Smart Swift Rapid Prime True Royal Grand Summit Central Metro Urban Coastal
  Alpine Nordic Arctic Solar Lunar Stellar Iron Crystal Velvet Quiet Honest Nimble Bold Humble
  Evergreen Heritage Liberty Integrated Dynamic Creative Vital Zealous Quantum Kinetic Lucid`)

export const NOUNS = words(`Star Bridge River Mountain Stone Oak Harbor Horizon Point Path Peak Wave
  Light Field Lake Forest Valley Gate Tower Crown Eagle Falcon Lion Bear Fox Wolf Hawk Raven Maple
  Cedar Pine Willow Compass Anchor Beacon Lantern Anvil Hammer Wheel Arrow Shield Spark Ember Flame
  Cloud Storm Rain Sun Moon Comet Orbit Atlas Apex Zenith Nexus Vertex Vector Pixel Signal Pulse
  Echo Canvas Mosaic Prism Quartz Onyx Opal Amber Jade Coral Pearl Meadow Orchard Garden Hearth
  Kettle Teapot Zephyr Yak Quill Jigsaw Oxbow Fjord`)

export const LEGAL_FORMS = words('Inc LLC Ltd GmbH Corp Co PLC AG SA BV AB Oy Srl Pty')

/** Syllables of coined names: "Velotra", "Quintexo". */
export const STARTS = words(`Ve No Al In Tri Omni Ver Sol Lu Ac Am Bri Cal Cor Da De El En Ex Fi Ga
  Hel In Jo Ka Ly Ma Me Na Neo Or Pa Po Qui Ra Ro Sa Se Sy Ta Te Ul Va Vi Xe Ya Za Zo Zy`)
export const MIDDLES = words(`ra lo ti na vi da ne mi to ri sa le co lu pe fa ga no ve xi bo du ki
  zu qua phi tra sto ndi mbr rce lva nte`)
export const ENDS = words(`a o ix on ia us is ex ent ium ora ify ly io eo ant ard elle ora ys um ax
  yx oz`)

/** Names in other scripts, and some with symbols. */
export const OTHER_NAMES = listed(`
  株式会社, 東京, 北京科技, 上海贸易, 삼성, 서울, Яндекс, Газпром, Заря, Ελλάς, شركة, חברה, भारत, AT&T, 100% Natural,
  C++ Works, A_B Testing, Back\\Slash, 7-Twelve, ☕ Tea House, 🚀 Rocket, Søren, Łódź, Ångström,
  Smile :-), Yahoo!, Q&A`)

export const OPENINGS = words(
  'Acme Nova Apex Delta Omega Sigma Alpha Beta Vertex Zenith Orion Titan',
)

export const TRAITS = listed(`
  family-owned, employee-owned, fast-growing, publicly listed, venture-backed, long-established,
  remote-first, award-winning, privately held, cooperative`)

export const ENDINGS = listed(`
  with offices in three countries, with some two hundred people, and ships across the continent,
  and has done so for four generations, for customers large and small, under one roof,
  since the founders met at university, with its own training workshop, for the whole region,
  and publishes its pay bands, on a four-day week, with a works council of long standing`)

/** Nearly half of what people write. Search ignores them. */
export const SMALL_WORDS = words(`
  the to and a of in I is that it you for we they was on have are with my be not this but at so as
  me or if had when all there from what by their an do just after no who because about our will
  them than then now been has more out up can only over some other into before very same`)

/** What people talk about at work. */
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

/** After the spoken words come coined ones, so there are words of every frequency to find. */
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

/** Always the same, no matter what the rows' seed is, so searches can pick words by rank. */
export const TALKED_WORDS: readonly string[] = vocabularyOf(createRandom(1, 'vocabulary'))

/** The ten most common words are picked as often as the next ninety, and so on. */
export const wordOfAnyRank = (random: Random) =>
  TALKED_WORDS[Math.floor(TALKED_WORDS.length ** random.next()) - 1] as string

const talkedWord = popularFirst(TALKED_WORDS, 0.9)
const smallWord = popularFirst(SMALL_WORDS, 0.7)

const SMALL_SHARE = 0.45
/** The share of texts with a word that hardly any other text has. */
const RARE_SHARE = 0.04
const RARE_WORDS = 300_000

export const rareWord = (random: Random) => `zu${random.below(RARE_WORDS).toString(26)}q`

/** Words in a row, with a full stop after every dozen. */
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
