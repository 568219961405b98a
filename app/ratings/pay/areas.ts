/** Where people work: a country, and in it a metropolitan area, from home, or somewhere else. No I/O here. */
import { COUNTRY_CODES, countryName } from '#app/kit/writing/countries.ts'
import { slugOf } from '#app/kit/writing/text.ts'

const METROS: Record<string, string> = {
  AE: 'Dubai, Abu Dhabi',
  AR: 'Buenos Aires, Córdoba, Rosario',
  AT: 'Vienna, Graz, Linz, Salzburg, Innsbruck',
  AU: 'Sydney, Melbourne, Brisbane, Perth, Adelaide, Canberra',
  BE: 'Brussels, Antwerp, Ghent, Liège',
  BG: 'Sofia, Plovdiv, Varna',
  BR: 'São Paulo, Rio de Janeiro, Belo Horizonte, Brasília, Curitiba, Porto Alegre, Recife',
  CA: 'Toronto, Montreal, Vancouver, Ottawa, Calgary, Edmonton, Quebec City, Winnipeg, Waterloo',
  CH: 'Zürich, Geneva, Basel, Bern, Lausanne, Zug, Lucerne, St. Gallen, Lugano, Winterthur',
  CL: 'Santiago, Valparaíso',
  CN: 'Beijing, Shanghai, Shenzhen, Guangzhou, Hangzhou, Chengdu, Wuhan, Nanjing, Suzhou',
  CO: 'Bogotá, Medellín, Cali',
  CZ: 'Prague, Brno, Ostrava',
  DE: 'Berlin, Munich, Hamburg, Frankfurt, Cologne, Düsseldorf, Stuttgart, Leipzig, Dresden, Nuremberg, Hanover, Bremen, Karlsruhe, Mannheim, Dortmund, Essen, Bonn',
  DK: 'Copenhagen, Aarhus, Odense, Aalborg',
  EE: 'Tallinn, Tartu',
  EG: 'Cairo, Alexandria',
  ES: 'Madrid, Barcelona, Valencia, Seville, Bilbao, Málaga, Zaragoza',
  FI: 'Helsinki, Tampere, Turku, Oulu',
  FR: 'Paris, Lyon, Marseille, Toulouse, Lille, Bordeaux, Nantes, Nice, Strasbourg, Rennes, Grenoble, Montpellier',
  GB: 'London, Manchester, Birmingham, Edinburgh, Glasgow, Bristol, Leeds, Cambridge, Oxford, Liverpool, Newcastle, Sheffield, Nottingham, Cardiff, Belfast, Reading, Brighton',
  GR: 'Athens, Thessaloniki',
  HK: 'Hong Kong',
  HR: 'Zagreb, Split',
  HU: 'Budapest, Debrecen',
  ID: 'Jakarta, Surabaya, Bandung',
  IE: 'Dublin, Cork, Galway, Limerick',
  IL: 'Tel Aviv, Haifa, Jerusalem, Beersheba',
  IN: 'Bengaluru, Hyderabad, Delhi, Mumbai, Pune, Chennai, Kolkata, Ahmedabad, Kochi',
  IT: 'Milan, Rome, Turin, Bologna, Florence, Naples, Genoa, Verona',
  JP: 'Tokyo, Osaka, Nagoya, Fukuoka, Kyoto, Sapporo',
  KE: 'Nairobi, Mombasa',
  KR: 'Seoul, Busan, Daejeon',
  LT: 'Vilnius, Kaunas',
  LU: 'Luxembourg',
  LV: 'Riga',
  MX: 'Mexico City, Guadalajara, Monterrey, Tijuana, Querétaro',
  MY: 'Kuala Lumpur, Penang, Johor Bahru',
  NG: 'Lagos, Abuja',
  NL: 'Amsterdam, Rotterdam, The Hague, Utrecht, Eindhoven, Groningen',
  NO: 'Oslo, Bergen, Trondheim, Stavanger',
  NZ: 'Auckland, Wellington, Christchurch',
  PE: 'Lima',
  PH: 'Manila, Cebu',
  PK: 'Karachi, Lahore, Islamabad',
  PL: 'Warsaw, Kraków, Wrocław, Gdańsk, Poznań, Łódź, Katowice',
  PT: 'Lisbon, Porto, Braga',
  RO: 'Bucharest, Cluj-Napoca, Timișoara, Iași',
  RS: 'Belgrade, Novi Sad',
  SA: 'Riyadh, Jeddah, Dammam',
  SE: 'Stockholm, Gothenburg, Malmö, Uppsala, Linköping',
  SG: 'Singapore',
  SI: 'Ljubljana, Maribor',
  SK: 'Bratislava, Košice',
  TH: 'Bangkok, Chiang Mai',
  TR: 'Istanbul, Ankara, Izmir',
  TW: 'Taipei, Hsinchu, Taichung',
  UA: 'Kyiv, Lviv, Kharkiv, Dnipro',
  US: 'San Francisco Bay Area, New York, Seattle, Los Angeles, Boston, Austin, Chicago, Washington DC, Denver, Atlanta, Dallas, Houston, San Diego, Philadelphia, Portland, Phoenix, Minneapolis, Miami, Raleigh, Salt Lake City, Detroit, Nashville, Charlotte, Pittsburgh, Tampa, Orlando, St. Louis, Sacramento, Columbus, Kansas City, Indianapolis, Cincinnati, Cleveland, Baltimore, Las Vegas, San Antonio, Milwaukee, Madison',
  VN: 'Ho Chi Minh City, Hanoi, Da Nang',
  ZA: 'Johannesburg, Cape Town, Durban, Pretoria',
}

export interface Area {
  /** Such as CH/zurich. */
  key: string
  name: string
}

/** The choices in a country. */
export function areasIn(country: string): Area[] {
  const where = countryName(country) ?? country
  return [
    ...(METROS[country]?.split(', ') ?? []).map((name) => ({
      key: `${country}/${slugOf(name)}`,
      name,
    })),
    { key: `${country}/remote`, name: `Remote, from ${where}` },
    { key: `${country}/elsewhere`, name: `Elsewhere in ${where}` },
  ]
}

export const countryOf = (area: string) => area.slice(0, 2)

const areaNamed = (key: string) =>
  COUNTRY_CODES.includes(countryOf(key))
    ? areasIn(countryOf(key)).find((area) => area.key === key)
    : undefined

export const isArea = (key: string) => areaNamed(key) !== undefined

/** A metropolitan area, rather than from home or somewhere else. */
export const isCity = (key: string) => !/\/(remote|elsewhere)$/.test(key)

/** "Zürich, Switzerland", "Remote, from Switzerland". */
export function areaName(key: string): string {
  const { name } = areaNamed(key) ?? {}
  if (!name) return key
  return isCity(key) ? `${name}, ${countryName(countryOf(key)) ?? countryOf(key)}` : name
}
