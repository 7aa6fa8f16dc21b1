import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alarm_rules (
      -- Of a built-in rule its name in the program, of others a uuid.
      id text primary key collate "C",
      name text not null,
      severity text not null,
      metric text not null,
      expr text,
      raise_op text,
      raise_threshold double precision,
      raise_for_s integer not null,
      clear_threshold double precision,
      clear_for_s integer not null,
      -- Empty: all.
      technologies text[] not null,
      ap_ids text[] not null,
      is_enabled boolean not null,
      is_builtin boolean not null,
      -- Alerts of an earlier revision, which vmalert may still send, raise nothing.
      revision integer not null default 1,
      updated_at timestamptz not null default now(),
      updated_by text
    );

    create table alarms (
      id bigint generated always as identity primary key,
      -- No reference: alarms are kept when their rule is deleted.
      rule_id text not null collate "C",
      rule_name text not null,
      severity text not null,
      metric text not null,
      ap_id text not null collate "C",
      -- Of the time when it was raised: the agent may be removed later.
      technology text not null,
      emulated_by uuid,
      value double precision,
      raised_at timestamptz not null default now(),
      cleared_at timestamptz,
      clear_reason text,
      is_flapping boolean not null default false,
      acknowledged_by text,
      acknowledged_at timestamptz,
      comment text,
      assignee text
    );
    -- At most one open alarm of a rule and an agent, whichever replica gets an alert, and however often.
    create unique index alarms_open on alarms (rule_id, ap_id) where cleared_at is null;
    create index alarms_open_by_id on alarms (id) where cleared_at is null;
    create index alarms_of_rule on alarms (rule_id, ap_id, raised_at);
    create index alarms_of_agent on alarms (ap_id, id);
    create index alarms_cleared on alarms (cleared_at) where cleared_at is not null;
  `.execute(db)
}
