/** The button above the list by which administrators add a company. Spec §6 (canAddCompany). */
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide'
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { navigate } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.ts'
import type { AddedCompanyContract } from '../../importing/added-company.contract.ts'
import { ADD_COMPANY_TEXTS } from '../../importing/added-company.ts'
import { AddCompanyDialog } from '../../importing/ui/lazy-add-company-dialog.ts'

export function AddCompany() {
  const api = useApi<AddedCompanyContract>()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        icon={<Icon of={Plus} />}
        {...AddCompanyDialog.preload}
        onClick={() => setOpen(true)}
      >
        {ADD_COMPANY_TEXTS.button}
      </Button>
      <AddCompanyDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={ADD_COMPANY_TEXTS.button}
        add={async (body) => {
          const { company, double } = await api('POST /api/v1/company-additions', { body })
          if (company) {
            queryClient.invalidateQueries({ queryKey: ['companies'] })
            toast({ title: ADD_COMPANY_TEXTS.added(company.name) })
            navigate(company.path)
          }
          return double
        }}
      />
    </>
  )
}
