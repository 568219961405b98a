/** Counts a view of a company's page after hydration. */
import { useEffect } from 'react'
import { trackView } from '../tracking.data.ts'

export function ViewBeacon({ companyId }: { companyId: string }) {
  useEffect(() => {
    trackView(companyId)
  }, [companyId])
  return null
}
