/** No response says who was interviewed, or when, except for the year and the month it was given. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, Uuid, WrittenText } from '#app/api/schemas.ts'
import { CompanyReply } from '#app/community/replies/reply.contract.ts'
import {
  EntryReceipt,
  GivenEntry,
  PRESENTING_LIMIT,
  RemovingEntry,
} from '../presented/presented.contract.ts'
import { NOTE_MAX, NOTE_SORTS, STARS } from '../rating.ts'
import { STEPS } from './interview.ts'

const CompanyId = z.object({ id: Uuid })
const OneToFive = z.literal(STARS, 'Choose a whole number from 1 to 5')
const Share = z.number().int().describe('Percent of the interviews')

const GivenInterview = z.object({
  year: z.number().int(),
  steps: z.array(z.enum(STEPS)).max(STEPS.length),
  weeks: z.number().int().describe('From the first contact to the answer'),
  hasOffer: z.boolean(),
  difficulty: OneToFive.describe('From very easy to very hard'),
  feeling: OneToFive.describe('From very bad to very good'),
  note: WrittenText(NOTE_MAX).default('').describe('What was asked, and what to know'),
})

const InterviewNumbers = z.object({
  interviews: z.number().int(),
  steps: z.array(z.object({ step: z.enum(STEPS), share: Share })),
  offers: Share,
  weeks: z.number().describe('The median, like the next two'),
  difficulty: z.number(),
  feeling: z.number(),
})
export type InterviewNumbersView = z.output<typeof InterviewNumbers>

const Interview = z.object({
  id: Uuid,
  year: z.number().int(),
  month: z.string().describe('When it was given'),
  difficulty: z.number().int(),
  feeling: z.number().int(),
  html: z.string(),
  helpful: z.number().int(),
  companyReply: CompanyReply.nullable(),
})
export type InterviewView = z.output<typeof Interview>

const CompanyInterviews = z.object({
  formerIds: z.array(Uuid).describe('For companies merged into this one'),
  numbers: InterviewNumbers.nullable().describe('Null with fewer than five people’s interviews'),
  surge: z
    .string()
    .nullable()
    .describe('The month of unusually many interviews, which the numbers don’t count yet'),
  interviews: z.array(Interview).describe('Those with a text'),
  next: z.string().nullable(),
})
export type CompanyInterviews = z.output<typeof CompanyInterviews>

const InterviewReceipt = EntryReceipt.extend({
  id: Uuid.describe('Its id on the company’s page, once it’s published'),
})
export type InterviewReceipt = z.output<typeof InterviewReceipt>

export const interviewContract = {
  'GET /api/v1/companies/{id}/interviews': {
    summary: 'What job interviews at a company are like',
    params: CompanyId,
    query: After.extend({ sort: z.enum(NOTE_SORTS).default('newest') }),
    ok: CompanyInterviews,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'PUT /api/v1/companies/{id}/presented-interview': {
    summary:
      'Give a year’s interview at a company with a credential, or change it. No one learns who you are',
    params: CompanyId,
    body: GivenEntry.extend({ interview: GivenInterview }),
    ok: InterviewReceipt,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
  'POST /api/v1/companies/{id}/interview-by-key/remove': {
    summary: 'Remove the interview with these keys',
    params: CompanyId,
    body: RemovingEntry,
    ok: InterviewReceipt,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
} satisfies Contract

export type InterviewContract = typeof interviewContract
