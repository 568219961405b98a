/** The server's results by kind. Outdated requests are aborted. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { threadListQuery } from '#app/community/discussions/discussion.data.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { suggestionsQuery } from '#app/companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS, searchedText } from '#app/companies/company.ts'
import { DEBOUNCE_MS } from '#app/companies/edits/ui/suggestions.tsx'
import type { JobContract } from '#app/jobs/job.contract.ts'
import { jobsQuery } from '#app/jobs/job.data.ts'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'

/** Full text search costs more than names, so it waits for a longer pause. */
const TEXTS_DEBOUNCE_MS = 300

/** Shown per kind. */
const COMPANIES_SHOWN = 6
const THREADS_SHOWN = 5
const JOBS_SHOWN = 4

/** @param sees the kinds this person may find */
export function useFinderResults(typed: string, sees: Sees) {
  const text = searchedText(typed)
  const soon = useDebounced(text, DEBOUNCE_MS)
  const later = useDebounced(text, TEXTS_DEBOUNCE_MS)
  const isLong = (each: string) => each.length >= SEARCH_MIN_CHARACTERS

  const companies = useQuery({
    ...suggestionsQuery(useApi<CompanyContract>(), soon),
    enabled: sees.companies && isLong(soon),
    placeholderData: keepPreviousData,
  })
  const threads = useInfiniteQuery({
    ...threadListQuery(useApi<DiscussionContract>(), { search: later }),
    enabled: sees.threads && isLong(later),
    placeholderData: keepPreviousData,
  })
  const jobs = useInfiniteQuery({
    ...jobsQuery(useApi<JobContract>(), { search: later }),
    enabled: sees.jobs && isLong(later),
    placeholderData: keepPreviousData,
  })

  const all = [companies, threads, jobs]
  const isAsked = isLong(text)
  const isOffline = isAsked && all.some(({ fetchStatus }) => fetchStatus === 'paused')
  return {
    companies: shown(isAsked, companies.data?.companies, COMPANIES_SHOWN),
    threads: shown(isAsked, threads.data?.pages[0]?.threads, THREADS_SHOWN),
    jobs: shown(isAsked, jobs.data?.pages[0]?.jobs, JOBS_SHOWN),
    isAsked,
    isOffline,
    /** Results may belong to the previous text. */
    isPending:
      isAsked &&
      !isOffline &&
      (text !== soon || text !== later || all.some(({ isFetching }) => isFetching)),
    isError: isAsked && all.some(({ isError }) => isError),
    retry: () => {
      for (const each of all) if (each.isError) each.refetch()
    },
  }
}

const shown = <Found>(isAsked: boolean, found: Found[] | undefined, most: number) =>
  isAsked ? (found ?? []).slice(0, most) : []

export interface Sees {
  companies: boolean
  threads: boolean
  jobs: boolean
}
export type FinderResults = ReturnType<typeof useFinderResults>
