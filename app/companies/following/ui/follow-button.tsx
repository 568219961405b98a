import { BellPlus, BellRing } from 'lucide'
import { reportError } from '#app/kit/forms/refusal.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { type Followed, followCompany, useFollowed } from '../follow-actions.data.ts'

interface FollowButtonProps {
  company: { id: string; name: string }
}

/** The button in the company's header, which keeps its space until we know the session. */
export function FollowButton({ company }: FollowButtonProps) {
  const { isFollowing, toggle } = toggleOf(company, useFollowed())
  return (
    <Button
      variant="secondary"
      aria-pressed={isFollowing ?? false}
      aria-disabled={isFollowing === undefined || undefined}
      icon={<Icon of={isFollowing ? BellRing : BellPlus} />}
      className={cx(
        'min-w-29 aria-disabled:opacity-100 no-js:hidden',
        isFollowing && 'border-tea/50 bg-tea-soft text-tea-strong hover:bg-tea-soft',
      )}
      onClick={toggle}
    >
      {isFollowing ? 'Following' : 'Follow'}
      <span className="sr-only">{` ${company.name}`}</span>
    </Button>
  )
}

/** Above the link that covers the card. */
export function CardFollowButton({ company, follows }: FollowButtonProps & { follows: Followed }) {
  const { isFollowing, toggle } = toggleOf(company, follows)
  if (isFollowing === undefined) return null
  return (
    <button
      type="button"
      aria-pressed={isFollowing}
      aria-label={`Follow ${company.name}`}
      data-tooltip={isFollowing ? 'Following' : 'Follow'}
      onClick={toggle}
      className={cx(
        'relative z-10 -mb-1 inline-flex size-9 items-center justify-center rounded-md border transition-colors',
        isFollowing
          ? 'border-tea/50 bg-tea-soft text-tea-strong'
          : 'border-transparent text-ink-faint hover:border-line-strong hover:text-ink',
      )}
    >
      <Icon of={isFollowing ? BellRing : BellPlus} className="size-4" />
    </button>
  )
}

function toggleOf({ id, name }: FollowButtonProps['company'], { queries, isFollowed }: Followed) {
  const isFollowing = isFollowed(id)
  const toggle = () => {
    if (isFollowing === undefined) return
    const wanted = !isFollowing
    followCompany(queries, id, wanted).then(
      () => toast({ id: `follow-${id}`, ...(wanted ? followed(name) : unfollowed(name)) }),
      reportError(wanted ? `Couldn’t follow ${name}` : `Couldn’t unfollow ${name}`),
    )
  }
  return { isFollowing, toggle }
}

const followed = (name: string) => ({
  title: `You follow ${name}`,
  description: 'You’ll see updates in Notifications. No one else knows you follow it.',
  action: { label: 'Choose alerts', onPress: () => navigate('/alerts') },
})

const unfollowed = (name: string) => ({ title: `Unfollowed ${name}` })
