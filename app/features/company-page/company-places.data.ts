/** What the places of companies in the sitemap need to know. Apart from it, so that other pages do not load it. */
import type { Client } from '../../api/client.ts'
import { loadedOnce } from '../../ui/warm.ts'
import type { CompanyContract, CompanyPageView } from '../companies/company.contract.ts'
import type { DiscussionContract } from '../discussions/discussion.contract.ts'
import type { JobContract } from '../jobs/job.contract.ts'
import type { RatingContract } from '../ratings/rating.contract.ts'
import { Numbers } from '../ratings/ui/rating-parts.tsx'
import { ReplyPlace } from '../replies/ui/reply-place.tsx'
import { comparisonQuery } from './compare.data.ts'
import { AboutTab, CompanyRatingsTab, CompanyThreadsTab } from './ui/company-tabs.tsx'
import { ComparisonPart } from './ui/comparison-part.tsx'
import { PolicyPart } from './ui/policy-part.tsx'
import { SimilarPart } from './ui/similar-part.tsx'

/** To import again what is here already takes a server longer than to look. */
const ratingData = loadedOnce(() => import('../ratings/rating.data.ts'))
const jobPlaces = loadedOnce(() => import('../jobs/job-places.data.ts'))
const discussionData = loadedOnce(() => import('../discussions/discussion.data.ts'))

type Query = Record<string, string | undefined>
type Api = Client<DiscussionContract & JobContract & RatingContract>

/** What a company's page shows below its head, with its code, so that the server can render it. */
export async function tabData(api: Api, { tab }: Query, { id }: CompanyPageView) {
  const [queries] = await Promise.all([queriesOf(api, tab, id), SimilarPart.load()])
  return queries
}

/** Discussions are the first tab. */
async function queriesOf(api: Api, tab: string | undefined, id: string) {
  if (tab === 'about') {
    await AboutTab.load()
    return []
  }
  if (tab === 'ratings') {
    const [{ notesQuery, ratingsQuery }] = await Promise.all([
      ratingData(),
      CompanyRatingsTab.load(),
      Numbers.load(),
      PolicyPart.load(),
      // Few notes have a reply: browsers wait for its code only where one stands.
      import.meta.env.SSR && ReplyPlace.load(),
    ])
    return [ratingsQuery(api, id), notesQuery(api, id)]
  }
  if (tab === 'jobs') return (await jobPlaces()).tabData(api, id)
  const [{ threadListQuery }] = await Promise.all([discussionData(), CompanyThreadsTab.load()])
  return [threadListQuery(api, { company: id })]
}

/** Companies side by side, likewise. @param text as the address has it */
export async function comparisonData(api: Client<CompanyContract>, text: string) {
  await ComparisonPart.load()
  return [comparisonQuery(api, text)]
}
