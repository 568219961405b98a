import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { COMPANIES_KEY } from '#app/companies/company.ts'
import type { AddedCompanyContract } from '#app/companies/importing/imports.contract.ts'
import { AddCompanyDialog } from '#app/companies/importing/ui/lazy-add-company-dialog.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'

/**
 * Lets administrators add a company. Spec §6 (canAddCompany). @param missing a search without results, to
 * prefill the form
 */
export function AddCompany({ missing }: { missing?: string }) {
  const api = useApi<AddedCompanyContract>()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant={missing ? 'primary' : 'secondary'}
        icon={<Icon of={Plus} />}
        {...AddCompanyDialog.preload}
        onClick={() => setOpen(true)}
      >
        {missing ? 'Not here? Add it' : 'Add a company'}
      </Button>
      <AddCompanyDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Add a company"
        known={missing ? { name: missing } : undefined}
        add={async (body) => {
          const { company, double } = await api('POST /api/v1/company-additions', { body })
          if (company) {
            queryClient.invalidateQueries({ queryKey: COMPANIES_KEY })
            toast({ title: `"${company.name}" was added` })
            navigate(company.path)
          }
          return double
        }}
      />
    </>
  )
}
