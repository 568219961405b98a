/** How many messages are unread; beyond a bound they are not counted. */
import { grouped } from '../../../ui/number.ts'
import { UNREAD_COUNTED_MAX } from '../contact.ts'

export const unreadText = (unread: number) =>
  unread < UNREAD_COUNTED_MAX ? grouped(unread) : `${grouped(UNREAD_COUNTED_MAX)}+`
