/** A company's overall rating; to a member who has just rated it with the own stars. */
import { useSession } from '#app/kit/session/session.data.ts'
import { Score } from '#app/kit/ui/score.tsx'
import { useOwnRating } from '../own-rating/own-rating.data.ts'

export function CompanyScore({ company, ...look }: CompanyScoreProps) {
  const isMember = useSession().status === 'signed-in'
  // Most who read are visitors: nothing is asked for them.
  if (isMember) return <OwnScore company={company} {...look} />
  return <Score rating={company.rating} {...look} />
}

function OwnScore({ company, ...look }: CompanyScoreProps) {
  const own = useOwnRating(company)
  return <Score rating={own?.numbers ? own.numbers.rating : company.rating} {...look} />
}

/** Beside the "--" of a company that nobody has rated; not to a member who just did. */
export function RatingInvitation({ company }: Pick<CompanyScoreProps, 'company'>) {
  const isMember = useSession().status === 'signed-in'
  return isMember ? <OwnInvitation company={company} /> : <span>{BE_THE_FIRST}</span>
}

const OwnInvitation = ({ company }: Pick<CompanyScoreProps, 'company'>) =>
  useOwnRating(company)?.numbers ? null : <span>{BE_THE_FIRST}</span>

const BE_THE_FIRST = 'Be the first to rate'

interface CompanyScoreProps {
  company: { id: string; rating: number | null }
  size?: 'sm' | 'lg'
  className?: string
}
