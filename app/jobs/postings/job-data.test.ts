/** JobPosting as Google's page "Job posting structured data" lists its required and recommended properties. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EMPLOYMENT_TYPES, REMOTE_POLICIES, SALARY_PERIODS } from '../job.ts'
import { type DescribedJob, structuredDataOf } from './job-data.server.ts'

const SITE = 'https://kettle.example'
const day = z.string().regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/)
const typed = <Shape extends z.ZodRawShape>(type: string, shape: Shape) =>
  z.strictObject({ '@type': z.literal(type), ...shape })

/** Required: title, description, datePosted, hiringOrganization, and jobLocation or a remote job's two. */
const JobPosting = z
  .strictObject({
    '@context': z.literal('https://schema.org/'),
    '@type': z.literal('JobPosting'),
    title: z.string().min(1),
    description: z.string().regex(/^<\w+/),
    datePosted: day,
    validThrough: day,
    employmentType: z.enum([
      'FULL_TIME',
      'PART_TIME',
      'CONTRACTOR',
      'TEMPORARY',
      'INTERN',
      'VOLUNTEER',
      'OTHER',
    ]),
    identifier: typed('PropertyValue', { name: z.string().min(1), value: z.string().min(1) }),
    hiringOrganization: typed('Organization', {
      name: z.string().min(1),
      sameAs: z.httpUrl().optional(),
      logo: z.httpUrl().optional(),
    }),
    jobLocation: z
      .array(
        typed('Place', {
          address: typed('PostalAddress', {
            addressLocality: z.string().min(1),
            addressCountry: z.string().regex(/^[A-Z]{2}$/),
          }),
        }),
      )
      .min(1)
      .optional(),
    jobLocationType: z.literal('TELECOMMUTE').optional(),
    applicantLocationRequirements: z
      .union([
        z.array(typed('Country', { name: z.string().min(3) })).min(1),
        typed('AdministrativeArea', { name: z.string().min(1) }),
      ])
      .optional(),
    baseSalary: typed('MonetaryAmount', {
      currency: z.string().regex(/^[A-Z]{3}$/),
      value: typed('QuantitativeValue', {
        minValue: z.number().positive(),
        maxValue: z.number().positive(),
        unitText: z.enum(['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR']),
      }),
    }),
    directApply: z.literal(false),
    url: z.httpUrl(),
  })
  .refine((job) => job.jobLocation || job.jobLocationType, 'A place, or remote')
  .refine(
    (job) => !job.jobLocationType || job.jobLocation || job.applicantLocationRequirements,
    'A remote job without a place names from where it can be done',
  )

const job = (over: Partial<DescribedJob> = {}): DescribedJob => ({
  id: '00000000-0000-4000-8000-000000000001',
  path: '/jobs/00000000-0000-4000-8000-000000000001-head-of-steam',
  title: 'Head of steam',
  excerpt: '',
  demo: false,
  company: {
    id: '',
    name: 'Erin and Sons',
    path: '/erin-and-sons',
    logoUrl: '/logos/1.webp',
    rating: null,
  },
  places: [{ city: 'Berlin', country: 'DE' }],
  remotePolicy: 'on-site',
  hybridDays: null,
  remoteRegions: [],
  employmentType: 'full-time',
  seniority: null,
  salary: { minimum: 50_000, maximum: 70_000, currency: 'EUR', period: 'year' },
  tags: [],
  status: 'open',
  postedOn: '2026-03-14',
  postedDaysAgo: 0,
  validThrough: '2026-05-13',
  html: '<p>Keeps all kettles boiling.</p>',
  website: 'https://erin.example',
  ...over,
})
const dataOf = (over?: Partial<DescribedJob>) => JSON.parse(structuredDataOf(job(over), SITE))

describe('the structured data of a job', () => {
  test('the structured data has what Google requires and recommends, for every kind of job', () => {
    let kinds = 0
    for (const remotePolicy of REMOTE_POLICIES)
      for (const employmentType of EMPLOYMENT_TYPES)
        for (const period of SALARY_PERIODS)
          for (const remoteRegions of remotePolicy === 'remote' ? [[], ['DE', 'FR']] : [[]])
            for (const places of remotePolicy === 'remote' ? [[], job().places] : [job().places])
              for (const bare of [
                {},
                { website: null, company: { ...job().company, logoUrl: null } },
              ]) {
                const salary = { ...job().salary, period }
                const data = dataOf({
                  remotePolicy,
                  employmentType,
                  salary,
                  remoteRegions,
                  places,
                  ...bare,
                })
                expect(JobPosting.safeParse(data).error?.issues ?? []).toEqual([])
                expect(data.jobLocationType).toBe(
                  remotePolicy === 'remote' ? 'TELECOMMUTE' : undefined,
                )
                kinds++
              }
    expect(kinds).toBe(420)
  })

  test('the structured data says what the page says, with whole addresses', () => {
    expect(
      dataOf({ remotePolicy: 'remote', remoteRegions: ['DE'], employmentType: 'internship' }),
    ).toMatchObject({
      employmentType: 'INTERN',
      validThrough: '2026-05-13T23:59:59Z',
      hiringOrganization: { sameAs: 'https://erin.example', logo: `${SITE}/logos/1.webp` },
      applicantLocationRequirements: [{ '@type': 'Country', name: 'Germany' }],
      baseSalary: {
        currency: 'EUR',
        value: { minValue: 50_000, maxValue: 70_000, unitText: 'YEAR' },
      },
      url: `${SITE}/jobs/00000000-0000-4000-8000-000000000001-head-of-steam`,
    })
  })

  test('the structured data is safe in a script element, whatever people write', () => {
    const title = '</script><script>alert(1)</script><!-- \u2028 & "'
    const json = structuredDataOf(job({ title, html: `<p>${title}</p>` }), SITE)
    expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(json).title).toBe(title)
  })
})
