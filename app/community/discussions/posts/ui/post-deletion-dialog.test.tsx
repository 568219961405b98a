/** How deleting a thread where it stands ends. Spec §8. */
import { beforeEach, expect, test, vi } from 'vitest'
import { navigate } from '#app/kit/ui/address.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { deleteThread } from '../../discussion-actions.data.ts'
import { ThreadDeletionDialog } from './post-deletion-dialog.tsx'

vi.mock('../../discussion-actions.data.ts', () => ({ deleteThread: vi.fn() }))
vi.mock('#app/kit/ui/address.ts', async (original) => ({
  ...(await original<object>()),
  navigate: vi.fn(),
}))
const dialog = vi.hoisted(() => ({ act: async () => {} }))
vi.mock('#app/kit/forms/act-dialog.tsx', () => ({
  ActDialog: ({ act }: typeof dialog) => {
    dialog.act = act
    return null
  },
}))

async function deleted() {
  rendered(<ThreadDeletionDialog open onOpenChange={() => {}} queries={{} as never} />)
  await dialog.act()
  return currentToasts().filter(({ open }) => open)
}
beforeEach(() => {
  dismissToast()
  vi.mocked(navigate).mockReset()
})

test('Spec §8: a toast names a deleted thread, and the discussions open', async () => {
  vi.mocked(deleteThread).mockResolvedValue('Nap room')
  expect(await deleted()).toMatchObject([
    { title: 'Thread deleted successfully', description: '"Nap room" has been deleted' },
  ])
  expect(navigate).toHaveBeenCalledWith('/discussions', { replace: true })
})

test.each([
  [500, { title: 'Error', description: 'Failed to delete thread. Please try again.' }],
  [403, { title: 'Not authorized to delete this thread' }],
])('Spec §8: a thread that stays after a %i has a destructive toast', async (status, toast) => {
  const message = 'Not authorized to delete this thread'
  vi.mocked(deleteThread).mockRejectedValue(Object.assign(new Error(message), { status }))
  expect(await deleted()).toMatchObject([{ ...toast, variant: 'destructive' }])
  expect(navigate).not.toHaveBeenCalled()
})
