/** Jobs that Erin posts for the pictures, at made-up companies. */

const base = {
  places: [] as { city: string; country: string }[],
  remoteRegions: [] as string[],
  seniority: 'mid',
  tags: [] as string[],
}

const salary = (minimum: number, maximum: number, currency: string, period = 'year') => ({
  minimum,
  maximum,
  currency,
  period,
})

const applyAt = (host: string) => ({ link: `https://${host}.example/jobs`, email: null })

/** Jobs by their company's slug, oldest first. */
export const DEMO_JOBS: [slug: string, job: object][] = [
  [
    'caixa-do-vale-quieto',
    {
      ...base,
      title: 'Teller who knows eleven streets',
      description:
        'You open at nine, you close at three, and in between you know everybody by name.\n\n' +
        '- Pay bands are on the wall, yours too\n- The bread is shared\n- Tuesdays are crowded',
      places: [{ city: 'Vila Quieta', country: 'PT' }],
      remotePolicy: 'on-site',
      employmentType: 'full-time',
      seniority: 'entry',
      salary: salary(19_000, 24_000, 'EUR'),
      tags: ['banking', 'customers'],
      apply: applyAt('caixa-do-vale-quieto'),
    },
  ],
  [
    'hoshimori-ward-robotics',
    {
      ...base,
      title: 'Manners engineer for ward robots',
      description:
        'Our robots apologise to plants. You teach them when to stop.\n\n' +
        'You write C++ and Python, you have been to a hospital at night, and you can explain both.',
      places: [{ city: 'Sendai', country: 'JP' }],
      remotePolicy: 'hybrid',
      hybridDays: 2,
      employmentType: 'full-time',
      seniority: 'senior',
      salary: salary(7_800_000, 9_600_000, 'JPY'),
      tags: ['c++', 'robotics', 'python'],
      apply: applyAt('hoshimori-ward-robotics'),
    },
  ],
  [
    '404-umbrellas',
    {
      ...base,
      title: 'Umbrella designer',
      description:
        'You draw an umbrella that nobody minds losing, and then the handle by which it is found.',
      places: [{ city: 'Manchester', country: 'GB' }],
      remotePolicy: 'hybrid',
      hybridDays: 3,
      employmentType: 'part-time',
      salary: salary(17, 22, 'GBP', 'hour'),
      tags: ['design'],
      apply: applyAt('404-umbrellas'),
    },
  ],
  [
    'lampwright-systems',
    {
      ...base,
      title: 'Keeper of the on-call rota',
      description:
        'Forty-one pages a week, thirty-eight of them for one lamp that does not exist. You find it.',
      places: [{ city: 'Hamburg', country: 'DE' }],
      remotePolicy: 'hybrid',
      hybridDays: 3,
      employmentType: 'full-time',
      seniority: 'lead',
      salary: salary(82_000, 98_000, 'EUR'),
      tags: ['operations', 'on-call'],
      apply: applyAt('lampwright'),
    },
  ],
  [
    'lampwright-systems',
    {
      ...base,
      title: 'Software engineer, lighthouses',
      description: [
        'You keep the lamps of a small coast alight, with two colleagues and **no pager** in your first six months.',
        '## What you do',
        '- Write the program that tells a lamp from a star\n- Read logs that fishermen wrote\n- Visit one lighthouse a year, by boat',
        '## What we offer',
        '- The pay stands above, and it is the pay\n- Thirty days off, and the fog days\n- Twelve office days a month, and you may ask why',
        'You need no degree. Tell us of a thing that you repaired.',
      ].join('\n\n'),
      remotePolicy: 'remote',
      hybridDays: null,
      remoteRegions: ['DE', 'PT', 'NO'],
      employmentType: 'full-time',
      salary: salary(68_000, 84_000, 'EUR'),
      tags: ['typescript', 'postgresql', 'lighthouses'],
      apply: applyAt('lampwright'),
    },
  ],
]
