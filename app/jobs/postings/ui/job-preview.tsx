import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import { TextPreview } from '#app/kit/writing/text-preview.tsx'
import { type JobDraft, previewOf } from '../job-form.ts'
import { JobArticle } from './job-article.tsx'

const DEBOUNCE_MS = 700

export interface JobPreviewProps {
  job: JobDraft
  company: { id: string; name: string; path: string }
}

export function JobPreview({ job, company }: JobPreviewProps) {
  const api = useApi<CompanyContract>()
  const { flags } = useSite()
  const { data: known } = useQuery({
    ...companyQuery(api, company.id),
    enabled: flags.enableCompanies,
  })
  const text = useDebounced(job.description, DEBOUNCE_MS)
  return (
    <JobArticle
      isPreview
      job={previewOf(job, {
        ...company,
        logoUrl: known?.logoUrl ?? null,
        rating: known?.rating ?? null,
      })}
      description={<TextPreview text={text} />}
    />
  )
}
