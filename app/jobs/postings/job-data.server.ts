/** A job's structured data for search engines: schema.org JobPosting, with what Google requires. */
import { countryName } from '#app/kit/writing/countries.ts'
import type { JobRow } from '../job.contract.ts'
import type { EmploymentType, SalaryPeriod } from '../job.ts'

const EMPLOYMENT_TYPE: Record<EmploymentType, string> = {
  'full-time': 'FULL_TIME',
  'part-time': 'PART_TIME',
  contract: 'CONTRACTOR',
  temporary: 'TEMPORARY',
  internship: 'INTERN',
  volunteer: 'VOLUNTEER',
  other: 'OTHER',
}
const UNIT: Record<SalaryPeriod, string> = {
  year: 'YEAR',
  month: 'MONTH',
  week: 'WEEK',
  day: 'DAY',
  hour: 'HOUR',
}

export interface DescribedJob extends JobRow {
  html: string
  website: string | null
}

/**
 * Escaped, so nothing ends the script element early.
 * @param siteUrl such as https://kettle.example
 */
export const structuredDataOf = (job: DescribedJob, siteUrl: string): string =>
  JSON.stringify(postingOf(job, siteUrl))
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')

function postingOf(job: DescribedJob, siteUrl: string) {
  const { company, salary, places, remoteRegions } = job
  const absolute = (path: string) => new URL(path, siteUrl).href
  const isRemote = job.remotePolicy === 'remote'
  return {
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title: job.title,
    description: job.html,
    datePosted: job.postedOn,
    validThrough: `${job.validThrough}T23:59:59Z`,
    employmentType: EMPLOYMENT_TYPE[job.employmentType],
    identifier: { '@type': 'PropertyValue', name: company.name, value: job.id },
    hiringOrganization: {
      '@type': 'Organization',
      name: company.name,
      ...(job.website && { sameAs: job.website }),
      ...(company.logoUrl !== null &&
        URL.canParse(company.logoUrl, siteUrl) && { logo: absolute(company.logoUrl) }),
    },
    ...(places.length > 0 && {
      jobLocation: places.map(({ city, country }) => ({
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressLocality: city, addressCountry: country },
      })),
    }),
    ...(isRemote && {
      jobLocationType: 'TELECOMMUTE',
      ...applicantsFrom(remoteRegions, places),
    }),
    baseSalary: {
      '@type': 'MonetaryAmount',
      currency: salary.currency,
      value: {
        '@type': 'QuantitativeValue',
        minValue: salary.minimum,
        maxValue: salary.maximum,
        unitText: UNIT[salary.period],
      },
    },
    directApply: false,
    url: absolute(job.path),
  }
}

/**
 * Google requires a country for a remote job without a location. A job that people can do from anywhere has none,
 * and we don't make one up.
 */
function applicantsFrom(remoteRegions: string[], places: JobRow['places']) {
  if (remoteRegions.length === 0)
    return places.length > 0 ? {} : { applicantLocationRequirements: WORLD }
  return {
    applicantLocationRequirements: remoteRegions.map((code) => ({
      '@type': 'Country',
      name: countryName(code) ?? code,
    })),
  }
}

/** "Anywhere": schema.org's type for any kind of area. */
const WORLD = { '@type': 'AdministrativeArea', name: 'Worldwide' }
