import type { AlarmRule } from '@manc/sdk'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { withFieldErrors } from '../ui/field-errors.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RuleFields } from './rule-fields.tsx'
import { bodyOf, formOf, problemsOf, type RuleErrors, type RuleForm, ruleFields } from './rule-form.ts'
import { RulePreview } from './rule-preview.tsx'

interface RuleDialogProps {
  /** The rule to change or to copy; without it, a new one. */
  rule?: AlarmRule
  isCopy?: boolean
  onClose: () => void
  onChanged: () => Promise<unknown>
}

/** Creates or changes a rule, with a preview of the alarms that it would have raised. */
export function RuleDialog({ rule, isCopy = false, onClose, onChanged }: RuleDialogProps) {
  const manc = useManc()
  const [form, setForm] = useState<RuleForm>(() => {
    const start = formOf(rule)
    return isCopy ? { ...start, name: `${start.name} (copy)`.slice(0, 100), is_enabled: true } : start
  })
  const [errors, setErrors] = useState<RuleErrors>({})
  const edited = isCopy ? undefined : rule
  const change = (changes: Partial<RuleForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name))),
    )
  }
  const isReady = () => {
    const problems = problemsOf(form)
    setErrors(problems)
    return Object.keys(problems).length === 0
  }
  /** Shows errors of the controller next to their fields. */
  const checked = <Result,>(request: Promise<Result>) => withFieldErrors(request, ruleFields, setErrors)
  return (
    <FormDialog
      title={edited ? 'Edit rule' : isCopy ? 'Copy rule' : 'Create rule'}
      submitLabel={edited ? 'Save' : 'Create'}
      size="xl"
      isReady={isReady}
      onClose={onClose}
      onSubmit={async () => {
        const body = bodyOf(form)
        await checked(edited ? manc.alarms.updateRule(edited.id, body) : manc.alarms.createRule(body))
        await onChanged()
        announce(edited ? `${body.name} saved.` : `${body.name} created.`)
        onClose()
      }}
    >
      {isCopy && rule?.is_builtin && (
        <Text size="sm" c="dimmed">
          The built-in rule stays enabled. Disable it if this rule replaces it.
        </Text>
      )}
      <RuleFields form={form} errors={errors} onChange={change} />
      <RulePreview
        // Another form has another preview.
        key={JSON.stringify(bodyOf({ ...form, name: 'x', is_enabled: true }))}
        isPossible={form.metric !== 'presence'}
        onPreview={() => (isReady() ? checked(manc.alarms.previewRule(bodyOf(form))) : undefined)}
      />
    </FormDialog>
  )
}
