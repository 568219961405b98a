/** What happened to the note of an anonymous rating: its holder asks with nothing but keys. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { HOLDING, HolderKeys } from '#app/identity/credentials/credential.contract.ts'
import { AppealStatus, AppealText, MyModeratedPost, REPORTS } from './report.contract.ts'

const Note = z.object({ id: Uuid })

const HeldNote = MyModeratedPost.omit({ html: true })
export type HeldNote = z.output<typeof HeldNote>

export const heldNoteContract = {
  'POST /api/v1/notes/{id}/held': {
    summary: 'What moderators did to the note of the rating that these keys hold',
    params: Note,
    body: z.object({ keys: HolderKeys }),
    // Its holder has the text.
    ok: z.object({ post: HeldNote.nullable() }),
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: HOLDING,
  },
  'POST /api/v1/notes/{id}/held/appeal': {
    summary: 'Ask for another look at the removal of the note that these keys hold, once',
    params: Note,
    body: z.object({ keys: HolderKeys, text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: REPORTS,
  },
} satisfies Contract

export type HeldNoteContract = typeof heldNoteContract
