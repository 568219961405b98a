/** Offers to leave a thread out of lists. Load this with `lazyDialog`, because it's heavy (Base UI). */
import { EyeOff, VolumeX } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Menu, MenuItem, type MenuPopup } from '#app/kit/ui/menu.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ThreadRow } from '../../discussion.contract.ts'
import { type ListChoices, listChoices, toggled, toggledNamed } from '../lists.data.ts'

export function RowMenu({ thread, ...popup }: MenuPopup & { thread: ThreadRow }) {
  const { company, topics } = thread
  const leaveOut = (title: string, change: (choices: ListChoices) => ListChoices) => {
    let before: ListChoices | undefined
    listChoices.change((choices) => {
      before = choices
      return change(choices)
    })
    toast({
      id: 'left-out',
      title,
      description: 'Only in this browser. You can undo this below the list.',
      action: { label: 'Undo', onPress: () => listChoices.change((now) => before ?? now) },
    })
  }
  return (
    <Menu {...popup} label={`More about “${thread.title}”`}>
      <MenuItem
        icon={<Icon of={EyeOff} />}
        onPress={() => leaveOut('Thread hidden', (it) => toggled(it, 'hidden', thread.id))}
      >
        Hide this thread
      </MenuItem>
      {company && (
        <MenuItem
          icon={<Icon of={VolumeX} />}
          onPress={() =>
            leaveOut(`${company.name} muted`, (it) =>
              toggledNamed(it, 'companies', { key: company.id, name: company.name }),
            )
          }
        >
          {`Mute ${company.name}`}
        </MenuItem>
      )}
      {topics.map(({ slug, name }) => (
        <MenuItem
          key={slug}
          icon={<Icon of={VolumeX} />}
          onPress={() =>
            leaveOut(`${name} muted`, (it) => toggledNamed(it, 'topics', { key: slug, name }))
          }
        >
          {`Mute ${name}`}
        </MenuItem>
      ))}
    </Menu>
  )
}
