/** Things that can wait until the page has loaded: watching for updates, asking about cookies, sending ratings. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useApi } from '#app/api/client.ts'
import { peopleWithRatings, useRated } from '#app/identity/credentials/rated.data.ts'
import { startAnalytics } from '#app/kit/consent/analytics.data.ts'
import { LeaveQuestion } from '#app/kit/forms/confirm-dialog.tsx'
import { useIsKnown, useReader, useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import {
  buttonsAround,
  clearTop,
  PRIMARY_BUTTONS,
  watchLayout,
} from '#app/kit/ui/clear-of-buttons.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { TOASTS_ID } from '#app/kit/ui/toaster.tsx'
import { guardLeaving } from '#app/kit/ui/unsaved-guard.ts'
import { FirstBadge, UpdateBadge } from '#app/kit/updates/ui/update-badge.tsx'
import { watchInput } from '#app/kit/updates/unsaved-input.data.ts'
import { startUpdates, type Updates } from '#app/kit/updates/updates.data.ts'
import type { RatingContract } from '#app/ratings/rating.contract.ts'
import { myRatingsQuery } from '#app/ratings/rating.data.ts'

/** Visitors don't need it. If it can't load, the next visit tries again. */
const RaterCredential = lazyComponent(() =>
  import('./rater-credential.tsx').then(
    (it) => it.RaterCredential,
    () => () => null,
  ),
)

/** The badge comes last in the tab order. */
export function Dock() {
  const { fallbackUrl, flags } = useSite()
  const canRate = useSession().me?.can.includes('rate') === true
  const updates = useUpdates()
  useAnalytics()
  useRatingOutbox()
  useMyRatingsAsked()
  useEffect(keepToastsClear, [])
  // The dock lives as long as the page, so there's no cleanup.
  useEffect(guardLeaving, [])
  return (
    <>
      <LeaveQuestion />
      {canRate && flags.enableCompanies && <RaterCredential />}
      {createPortal(
        updates ? <UpdateBadge updates={updates} fallbackUrl={fallbackUrl} /> : <FirstBadge />,
        document.body,
      )}
    </>
  )
}

function useUpdates() {
  const { build } = useSite()
  const [updates, setUpdates] = useState<Updates>()
  useEffect(() => {
    const words = watchInput()
    const started = startUpdates({
      own: build,
      isSafe: words.isSafe,
      reload: () => location.reload(),
    })
    setUpdates(started)
    return () => {
      started.stop()
      words.stop()
    }
  }, [build])
  return updates
}

/** We send anonymous ratings some time after they were given, from whatever page is open then. */
function useRatingOutbox() {
  const api = useApi<RatingContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const isMember = useSession().status === 'signed-in'
  useRated(sessionKey)
  const hasSome = peopleWithRatings().length > 0
  useEffect(() => {
    if (!hasSome) return
    let stop: (() => void) | undefined
    let isOver = false
    import('#app/ratings/presented/rating-outbox.data.ts').then(
      (it) => {
        if (!isOver)
          stop = it.startOutbox({ queryClient, ...(isMember && { member: { api, sessionKey } }) })
      },
      () => {},
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [hasSome, api, queryClient, sessionKey, isMember])
}

/** Once a day, on any page; see `myRatingsQuery`. */
function useMyRatingsAsked() {
  const api = useApi<RatingContract>()
  const sessionKey = useSessionKey()
  const isNobody = useReader() === null
  const isKnown = useIsKnown()
  const isOn = useSite().flags.enableCompanies
  useQuery({ ...myRatingsQuery(api, sessionKey), enabled: isOn && isKnown && !isNobody })
}

function useAnalytics() {
  const { analyticsId } = useSite()
  const { path } = useAddress()
  const [analytics, setAnalytics] = useState<ReturnType<typeof startAnalytics>>()
  useEffect(() => {
    if (!analyticsId) return
    const started = startAnalytics(analyticsId)
    setAnalytics(started)
    return started.stop
  }, [analyticsId])
  useEffect(() => analytics?.countPage(path), [analytics, path])
}

/** Between toasts, and around them. Spec §9. */
const GAP = 14

/** Keeps toasts away from it. Returns the cleanup. */
function keepToastsClear() {
  const { style } = document.documentElement
  const place = () => {
    const toasts = document.getElementById(TOASTS_ID)
    const height = toasts?.offsetHeight ?? 0
    const isWindowOpen = document.querySelector('[role=dialog]') !== null
    if (!toasts || height === 0) {
      style.removeProperty('--toast-top')
      style.removeProperty('--toast-room')
    } else if (isWindowOpen) {
      style.setProperty('--toast-top', `${GAP}px`)
      style.setProperty('--toast-room', `${height + 2 * GAP}px`)
    } else {
      style.removeProperty('--toast-room')
      style.removeProperty('--toast-top')
      const box = toasts.getBoundingClientRect()
      // On screens full of buttons, keep at least the main content's buttons free.
      const top =
        clearTop(box, buttonsAround(toasts), window.innerHeight) ??
        clearTop(box, buttonsAround(toasts, PRIMARY_BUTTONS), window.innerHeight)
      if (top !== undefined && top !== box.top) style.setProperty('--toast-top', `${top}px`)
    }
  }
  const end = watchLayout(place)
  place()
  return end
}
