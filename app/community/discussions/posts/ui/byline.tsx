import type { ShownBadge } from '#app/companies/badges/badge.contract.ts'
import { PostBadgeMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import type { Comment } from '../../discussion.contract.ts'

type Author = NonNullable<Comment['author']>

/** Visitors are "Anonymous" with a name for this thread, so people can follow who replies to whom. */
export function AuthorName({ author, className }: { author: Author; className?: string }) {
  return (
    <span className={className}>
      {author.isVisitor && (
        <span className="font-normal text-ink-faint">
          Anonymous<span className="mx-0.5"> · </span>
        </span>
      )}
      {author.name}
    </span>
  )
}

/** The author, in a line that's `dotted`. */
export function Byline({ author, badge, hasHiddenBadge, ...post }: BylineProps) {
  const { postedAt, isEdited, isMine } = post
  return (
    <>
      <span>
        <AuthorName author={author} className="font-medium text-ink-soft" />
        {isMine && <Badge className="ml-2">You</Badge>}
      </span>
      <PostBadgeMark badge={badge} waits={hasHiddenBadge} className="before:hidden" />
      <RelativeTime iso={postedAt} />
      {isEdited && <span>edited</span>}
    </>
  )
}

interface BylineProps {
  author: Author
  badge: ShownBadge
  /** The person's own badge, which others can't see yet. */
  hasHiddenBadge?: boolean | undefined
  postedAt: string
  isEdited?: boolean
  /** Only the author's browser knows this, because the page is the same for everyone. */
  isMine?: boolean
}
