/** A company's score. A member's includes their own new rating. */
import { useSession } from '#app/kit/session/session.data.ts'
import { Score } from '#app/kit/ui/score.tsx'
import { useOwnRating } from '../own-rating/own-rating.data.ts'

export function CompanyScore({ company, ...look }: CompanyScoreProps) {
  const isMember = useSession().status === 'signed-in'
  // Most readers are visitors and skip the hook.
  if (isMember) return <OwnScore company={company} {...look} />
  return <Score rating={company.rating} {...look} />
}

function OwnScore({ company, ...look }: CompanyScoreProps) {
  const own = useOwnRating(company)
  return <Score rating={own?.numbers ? own.numbers.rating : company.rating} {...look} />
}

/** Shown next to the "--" of an unrated company, but not to a member who just rated it. */
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
