/** The Request a Company dialog, whose code comes with its first opening. */
import { openable } from '../../../ui/openable.tsx'

export const RequestDialog = openable(() =>
  import('./request-dialog.tsx').then((it) => it.RequestDialog),
)
