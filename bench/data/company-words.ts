/** The words that invented companies are made of, the most popular first in every list. */

export interface Industry {
  category: string
  /** What such companies put into their names. */
  inNames: string[]
  /** What they do: "We …" */
  doing: string[]
}

const industry = (category: string, inNames: string, doing: string): Industry => ({
  category,
  inNames: inNames.split(', '),
  doing: doing.split(', '),
})

export const INDUSTRIES: readonly Industry[] = [
  industry(
    'Technology',
    'Technologies, Software, Systems, Labs, Digital, Cloud, Data, Networks, Robotics, Analytics',
    'builds software for mid-sized firms, runs a cloud platform for developers, makes data tools that analysts enjoy, keeps networks of schools and clinics alive',
  ),
  industry(
    'Retail',
    'Stores, Retail, Market, Trading, Outlet, Bazaar',
    'sells clothes and household goods, runs neighbourhood stores and an online shop, trades in everyday goods',
  ),
  industry(
    'Healthcare',
    'Health, Medical, Care, Clinics, Therapeutics, Diagnostics',
    'runs clinics and home care, makes diagnostic devices, cares for patients after surgery',
  ),
  industry(
    'Financial Services',
    'Capital, Financial, Credit, Payments, Wealth, Funds',
    'lends to small businesses, manages pensions and savings, processes card payments',
  ),
  industry(
    'Construction',
    'Construction, Builders, Homes, Contracting, Roofing, Concrete',
    'builds family homes, repairs bridges and roads, pours concrete for large sites',
  ),
  industry(
    'Food & Beverage',
    'Foods, Bakery, Brewing, Kitchens, Beverages, Farms',
    'bakes bread for supermarkets, brews beer and lemonade, packs vegetables the day they are picked',
  ),
  industry(
    'Consulting',
    'Consulting, Advisors, Strategy, Partners, Associates',
    'advises public authorities, helps manufacturers plan their next decade, trains leaders and teams',
  ),
  industry(
    'Manufacturing',
    'Manufacturing, Industries, Works, Tools, Machinery, Components',
    'makes valves and pumps, turns metal parts to order, supplies machine tools to workshops',
  ),
  industry(
    'Logistics',
    'Logistics, Freight, Shipping, Transport, Couriers, Haulage',
    'moves freight by road and rail, runs warehouses near the port, delivers parcels by bicycle',
  ),
  industry(
    'Education',
    'Learning, Academy, Education, Schools, Tutors',
    'teaches languages online, runs nurseries and schools, writes textbooks',
  ),
  industry(
    'Real Estate',
    'Properties, Realty, Estates, Housing, Land',
    'manages rented homes, develops office space, finds shops for tenants',
  ),
  industry(
    'Hospitality',
    'Hotels, Resorts, Restaurants, Catering, Inns',
    'runs small hotels by the sea, caters for weddings and conferences, franchises restaurants',
  ),
  industry(
    'Media',
    'Media, Studios, Publishing, Pictures, Press',
    'publishes magazines, produces podcasts and films, prints newspapers',
  ),
  industry(
    'Marketing',
    'Marketing, Creative, Brands, Agency, Communications',
    'plans campaigns for local brands, designs packaging, buys advertising space',
  ),
  industry(
    'Energy',
    'Energy, Power, Solar, Wind, Electric, Gas',
    'installs solar panels, operates wind farms, supplies gas and heat',
  ),
  industry(
    'Automotive',
    'Motors, Automotive, Auto Parts, Garage, Vehicles',
    'sells and repairs cars, makes brake parts, leases vans to tradespeople',
  ),
  industry(
    'Insurance',
    'Insurance, Assurance, Underwriters, Mutual',
    'insures homes and farms, underwrites marine cargo, handles claims for other insurers',
  ),
  industry(
    'Legal',
    'Law, Legal, Solicitors, Attorneys',
    'practises family law, represents inventors, drafts contracts for start-ups',
  ),
  industry(
    'Pharmaceuticals',
    'Pharma, Biosciences, Laboratories, Biotech',
    'develops vaccines, makes generic medicines, tests compounds for larger firms',
  ),
  industry(
    'Telecommunications',
    'Telecom, Mobile, Wireless, Fibre, Connect',
    'lays fibre in rural areas, runs a mobile network, sells telephone systems',
  ),
  industry(
    'Agriculture',
    'Agriculture, Growers, Seeds, Dairy, Orchards',
    'grows apples and pears, breeds seeds, keeps dairy cattle',
  ),
  industry(
    'Banking',
    'Bank, Banking, Savings, Trust',
    'serves savers in the region, finances exporters, runs a bank without branches',
  ),
  industry(
    'Aerospace',
    'Aerospace, Aviation, Airways, Space',
    'makes cabin parts, flies charter routes, designs small satellites',
  ),
  industry(
    'Government',
    'Authority, Council, Agency, Department',
    'runs public services for the county, inspects workplaces, keeps the land register',
  ),
  industry(
    'Nonprofit',
    'Foundation, Trust, Alliance, Society',
    'funds libraries, helps refugees find homes, protects rivers and woods',
  ),
  industry(
    'Staffing',
    'Staffing, Recruitment, Talent, Personnel',
    'finds nurses and engineers, places seasonal workers, runs payroll for others',
  ),
  industry(
    'Fashion',
    'Fashion, Apparel, Textiles, Shoes',
    'designs workwear, weaves cloth, sells second-hand shoes',
  ),
  industry(
    'Security',
    'Security, Protection, Cyber, Guard',
    'guards events and offices, tests computer systems for holes, installs alarms',
  ),
  industry(
    'Entertainment',
    'Entertainment, Games, Events, Theatres',
    'makes mobile games, stages concerts, runs cinemas',
  ),
  industry(
    'Sports & Fitness',
    'Fitness, Sports, Athletics, Gyms',
    'runs gyms, makes rackets and balls, organises marathons',
  ),
  industry(
    'Environmental Services',
    'Environmental, Recycling, Waste, Water',
    'recycles glass and paper, cleans water, measures noise and dust',
  ),
  industry(
    'Architecture',
    'Architects, Design, Planning',
    'designs schools, plans town centres, restores old buildings',
  ),
  industry(
    'Chemicals',
    'Chemicals, Polymers, Coatings, Plastics',
    'makes paints and varnishes, moulds plastic parts, supplies solvents',
  ),
  industry(
    'Mining',
    'Mining, Minerals, Quarries, Metals',
    'digs gravel and sand, explores for copper, trades in scrap metal',
  ),
  industry(
    'Travel',
    'Travel, Tours, Holidays, Cruises',
    'arranges walking tours, sells rail journeys, runs river cruises',
  ),
  industry(
    'Veterinary',
    'Veterinary, Animal Care, Pets',
    'treats horses and cattle, runs animal hospitals, makes food for cats',
  ),
  industry(
    'Furniture',
    'Furniture, Interiors, Joinery',
    'makes chairs and tables, fits kitchens, upholsters seats',
  ),
  industry(
    'Printing',
    'Printing, Graphics, Packaging',
    'prints labels, makes cardboard boxes, binds books',
  ),
  industry(
    'Research',
    'Research, Institute, Sciences',
    'studies batteries, surveys public opinion, models the weather',
  ),
  industry(
    'Other',
    'Group, Services, Enterprises, Holdings, Ventures, Company',
    'does a little of everything, holds shares in family firms, serves other businesses',
  ),
]

const words = (text: string) => text.split(/\s+/).filter(Boolean)

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

/** Names that are not made of Latin letters, and some with signs. */
export const OTHER_NAMES = [
  '株式会社',
  '東京',
  '北京科技',
  '上海贸易',
  '삼성',
  '서울',
  'Яндекс',
  'Газпром',
  'Заря',
  'Ελλάς',
  'شركة',
  'חברה',
  'भारत',
  'AT&T',
  '100% Natural',
  'C++ Works',
  'A_B Testing',
  'Back\\Slash',
  '7-Twelve',
  '☕ Tea House',
  '🚀 Rocket',
  'Søren',
  'Łódź',
  'Ångström',
  'Smile :-)',
  'Yahoo!',
  'Q&A',
] as const

export const OPENINGS = words(
  'Acme Nova Apex Delta Omega Sigma Alpha Beta Vertex Zenith Orion Titan',
)

export const TRAITS = [
  'family-owned',
  'employee-owned',
  'fast-growing',
  'publicly listed',
  'venture-backed',
  'long-established',
  'remote-first',
  'award-winning',
  'privately held',
  'cooperative',
] as const

export const ENDINGS = [
  'with offices in three countries',
  'with some two hundred people',
  'and ships across the continent',
  'and has done so for four generations',
  'for customers large and small',
  'under one roof',
  'since the founders met at university',
  'with its own training workshop',
  'for the whole region',
  'and publishes its pay bands',
  'on a four-day week',
  'with a works council of long standing',
] as const
