/** Place it on a company's page: the page counts as seen once a browser has brought it to life. */
import { useEffect } from 'react'
import { trackView } from '../tracking.data.ts'

export function ViewBeacon({ companyId }: { companyId: string }) {
  useEffect(() => {
    trackView(companyId)
  }, [companyId])
  return null
}
