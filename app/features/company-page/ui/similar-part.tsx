/** Others of a company's category, below its page. */
import { stillPart } from '../../../ui/still-part.tsx'

export const SimilarPart = stillPart(
  () => import('./similar-companies.tsx').then((it) => it.SimilarCompanies),
  null,
)
