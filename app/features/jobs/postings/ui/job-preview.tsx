/** A job as its page will show it: beside its form where there is room, else in a window. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/client.ts'
import { useSite } from '../../../../session/site.data.ts'
import { useDebounced } from '../../../../ui/use-debounced.ts'
import { TextPreview } from '../../../../writing/text-preview.tsx'
import type { CompanyContract } from '../../../companies/company.contract.ts'
import { companyQuery } from '../../../companies/company.data.ts'
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
  const asked = useQuery({ ...companyQuery(api, company.id), enabled: flags.enableCompanies })
  const known = asked.data
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
