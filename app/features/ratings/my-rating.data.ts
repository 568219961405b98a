/** What is one's own about a company's ratings. No I/O here. */
import type { Answer } from '../../api/contract.ts'
import type { RatingContract } from './rating.contract.ts'

export interface MyRatings extends Answer<RatingContract['GET /api/v1/companies/{id}/my-rating']> {
  /** It was given under the account, before ratings named nobody. */
  isOfAccount?: boolean
}

export interface RatedCompany {
  id: string
  name: string
  /** Where its page is. */
  path: string
}
