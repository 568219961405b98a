/** Below what people wrote: what the company replied, and for its people the way to do so. */

import { useSession } from '../../../session/session.data.ts'
import { useIsKnown } from '../../../session/use-is-known.ts'
import { pagePart } from '../../../ui/page-part.tsx'
import type { ReplyProps } from './shown-reply.tsx'

const ShownReply = pagePart(() => import('./shown-reply.tsx').then((it) => it.ShownReply), null)

/** Most of what people wrote has no reply, and most readers reply to nothing: they do without its code. */
export function ReplyPlace(props: Omit<ReplyProps, 'mayAct'>) {
  const mayAct = useMayAct()
  return props.reply || mayAct ? <ShownReply {...props} mayAct={mayAct} /> : null
}

/** Awaited by the places of pages that show a reply, so that the server can render it. */
ReplyPlace.load = ShownReply.load

/** Whether the server may let this person act for some company. */
function useMayAct() {
  const isKnown = useIsKnown()
  const { me } = useSession()
  return isKnown && (me?.role === 'employer' || me?.role === 'admin' || me?.role === 'owner')
}
