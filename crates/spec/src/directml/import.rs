//! Imports two tables of facts, `dml_operators.json` and `onnx_to_dml.json`, into `specs/directml`. If a table states a
//! fact twice, both statements must agree. An unknown field is an error.

use super::data_type::TensorDataType;
use super::field::Field;
use super::level::FeatureLevel;
use super::load::{DirectMl, parse};
use super::lowering::{Kernel, Lowering, Provider, ProviderSource, RegisteredTypes, Registration, SupportQuery};
use super::operator::{InPlaceEvidence, OPERATOR_PREFIX, Operator, PageSource, TensorConstraint};
use super::support::{SupportBlock, SupportTable};
use super::types::{
    Constant, DataTypeFacts, EnumValue, Enumeration, FusedActivation, FusedInto, LevelFacts, Source, Types,
};
use crate::error::SpecError;
use crate::import::Import;
use crate::write::to_lines;
use plumbline_tensor::DType;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorTables {
    schema_version: u32,
    sources: Map<String, Value>,
    #[serde(rename = "conventions")]
    _conventions: IgnoredAny,
    feature_levels: Vec<LevelTable>,
    tensor_data_types: Vec<DataTypeTable>,
    constants: Map<String, Value>,
    enums: Map<String, Value>,
    fused_activations: FusedTable,
    operator_count: usize,
    operators: Vec<OperatorTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelTable {
    name: String,
    level: FeatureLevel,
    number: String,
    value: u32,
    directml_version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataTypeTable {
    name: String,
    value: u32,
    introduced: FeatureLevel,
    bits: Option<u32>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FusedTable {
    unrestricted: Vec<String>,
    convolution_and_gemm_only: Map<String, Value>,
    gemm_only: Map<String, Value>,
    rule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorTable {
    name: String,
    value: u32,
    introduced: Introduced,
    desc_struct: String,
    #[serde(default)]
    aliases: Vec<String>,
    fields: Vec<Field>,
    in_place: bool,
    in_place_evidence: InPlaceEvidence,
    tensor_constraints: Vec<TensorConstraint>,
    support: Option<Vec<SupportBlock>>,
    support_by_function: Option<Vec<FunctionTable>>,
    support_table_present: bool,
    #[serde(default)]
    notes: Vec<String>,
    sources: OperatorSources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionTable {
    functions: Vec<String>,
    support: Vec<SupportBlock>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Introduced {
    feature_level: FeatureLevel,
    number: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorSources {
    enum_and_struct: String,
    field_kinds_optional_in_place: String,
    support_and_constraints: PageTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageTable {
    repo: String,
    path: String,
    commit: Option<String>,
    /// The id of the page's file, if the page's commit is not known. Not imported: it is no fact about DirectML.
    #[serde(rename = "file_id")]
    _file_id: Option<IgnoredAny>,
    #[serde(rename = "note")]
    _note: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoweringTables {
    schema_version: u32,
    source: ProviderSource,
    provider_facts: ProviderFacts,
    /// An explanation of `dml_min_feature_level`. The docs of [`RegisteredTypes`] have it, too.
    #[serde(rename = "note")]
    _note: IgnoredAny,
    registration_count: usize,
    dml_operators_used: BTreeSet<String>,
    dml_operators_not_used: BTreeSet<String>,
    registrations: Vec<RegistrationTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderFacts {
    minimum_dml_feature_level: FeatureLevel,
    directml_package: String,
    onnx_to_dml_types: BTreeMap<DType, TensorDataType>,
    unsupported_types: Vec<String>,
    type_gate: String,
    max_opset_registered: u32,
    broadcast: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistrationTable {
    op: String,
    domain: String,
    registered_at_opset: u32,
    since_version: u32,
    dml_operators: Vec<String>,
    reduce_function: Option<String>,
    lowering_note: Option<String>,
    #[serde(default)]
    type_constraints: BTreeMap<String, RegisteredTypes>,
    support_query: Option<SupportQuery>,
    #[serde(default)]
    constant_cpu_inputs: Vec<u32>,
    #[serde(default)]
    output_aliases_input: Vec<(u32, u32)>,
    dml_graph_node: bool,
    graph_only_with_input_count: Option<u32>,
    build_guard: Option<String>,
    kernel: Kernel,
}

/// A table that is being read. Its path goes into errors.
struct Table<'a>(&'a Path);

impl Table<'_> {
    /// Returns an error unless `holds` is true.
    fn expect(&self, holds: bool, message: impl FnOnce() -> String) -> Result<(), SpecError> {
        if holds { Ok(()) } else { Err(SpecError::data(self.0, 1, message())) }
    }

    fn read<T: serde::de::DeserializeOwned>(&self, what: &str, value: Value) -> Result<T, SpecError> {
        serde_json::from_value(value).map_err(|error| SpecError::data(self.0, 1, format!("{what}: {error}")))
    }
}

/// Reads the tables in `dir`.
///
/// # Errors
/// Returns an error if a file cannot be read, is not a table, or contradicts itself.
pub fn import(dir: &Path) -> Result<Import, SpecError> {
    let read = |name: &str| {
        let path = dir.join(name);
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok((path, text)),
            Err(source) => Err(SpecError::Read { path, source }),
        }
    };
    let mut files = BTreeMap::new();
    let (path, text) = read("dml_operators.json")?;
    operators(&path, &text, &mut files)?;
    let (path, text) = read("onnx_to_dml.json")?;
    lowerings(&path, &text, &mut files)?;
    // The loader checks the files that the tables produced.
    let produced = files.iter().map(|(path, text): (&PathBuf, &String)| (path.clone(), text.as_str()));
    let directml = DirectMl::from_files(Path::new("made from the tables: "), produced)?;
    let used: BTreeSet<&String> =
        directml.lowerings().flat_map(|l| &l.registrations).flat_map(|r| &r.dml_operators).collect();
    let tables: LoweringTables = parse(&path, &text)?;
    let unused = directml.operators().iter().map(|operator| &operator.name).filter(|name| !used.contains(name));
    let (used_stated, unused_stated) = (&tables.dml_operators_used, &tables.dml_operators_not_used);
    Table(&path).expect(used_stated.iter().eq(used.iter().copied()), || {
        "dml_operators_used: differs from the operators that the registrations use".into()
    })?;
    Table(&path).expect(unused.collect::<BTreeSet<_>>() == unused_stated.iter().collect(), || {
        "dml_operators_not_used: differs from the operators that no registration uses".into()
    })?;
    let files = files.into_iter().map(|(path, text)| (Path::new("directml").join(path), text)).collect();
    Ok(Import { release: "the fact tables".to_owned(), origin: "the tables", folder: "directml", files })
}

fn operators(path: &Path, text: &str, files: &mut BTreeMap<PathBuf, String>) -> Result<(), SpecError> {
    let table = Table(path);
    let tables: OperatorTables = parse(path, text)?;
    table.expect(tables.schema_version == 1, || "schema_version: expected 1, the only known version".into())?;
    table.expect(tables.operator_count == tables.operators.len(), || {
        format!("operator_count is {}, but there are {} operators", tables.operator_count, tables.operators.len())
    })?;
    for operator in tables.operators {
        let operator = self::operator(&table, operator)?;
        let file = PathBuf::from(format!("{}.json", operator.name));
        let text = operator.to_json();
        table.expect(files.insert(file, text).is_none(), || format!("{} occurs twice", operator.name))?;
    }
    let mut feature_levels = Vec::new();
    for LevelTable { name, level, number, value, directml_version } in tables.feature_levels {
        let agree = name == level.name() && number == format!("{value:#x}");
        table.expect(agree, || format!("{name}: level {level}, number {number}, value {value} disagree"))?;
        feature_levels.push(LevelFacts { level, value, directml_version });
    }
    let mut tensor_data_types = Vec::new();
    for DataTypeTable { name, value, introduced, bits, note } in tables.tensor_data_types {
        let known: TensorDataType = name.parse().map_err(|error| SpecError::data(path, 1, format!("{error}")))?;
        tensor_data_types.push(DataTypeFacts { name: known, value, introduced, bits, note });
    }
    let mut constants = Vec::new();
    for (name, value) in tables.constants {
        constants.push(Constant { value: table.read(&name, value)?, name });
    }
    let mut enums = Vec::new();
    for (name, values) in tables.enums {
        let values: Vec<EnumValue> = table.read(&name, values)?;
        enums.push(Enumeration { name, values });
    }
    let rule = tables.fused_activations.rule.clone();
    let types = Types {
        sources: sources(&table, tables.sources)?,
        feature_levels,
        tensor_data_types,
        constants,
        enums,
        fused_activations: fused(&table, tables.fused_activations)?,
        fused_activation_rule: rule,
    };
    files.insert(PathBuf::from("types.json"), to_lines(&types));
    Ok(())
}

fn sources(table: &Table, sources: Map<String, Value>) -> Result<Vec<Source>, SpecError> {
    let mut found = Vec::new();
    for (name, source) in sources {
        // A string is a remark and no source. Each operator states the source of its support tables itself.
        if source.is_string() {
            continue;
        }
        let mut fields: Map<String, Value> = table.read(&name, source)?;
        fields.insert("name".to_owned(), Value::String(name.clone()));
        found.push(table.read(&name, Value::Object(fields))?);
    }
    Ok(found)
}

fn fused(table: &Table, fused: FusedTable) -> Result<Vec<FusedActivation>, SpecError> {
    let full = |name: &str| format!("{OPERATOR_PREFIX}{name}");
    let mut found: Vec<FusedActivation> = Vec::new();
    for name in &fused.unrestricted {
        found.push(FusedActivation { operator: full(name), into: FusedInto::Any, min_feature_level: None });
    }
    let restricted =
        [(FusedInto::ConvolutionAndGemm, fused.convolution_and_gemm_only), (FusedInto::Gemm, fused.gemm_only)];
    for (into, names) in restricted {
        for (name, from) in names {
            let from: String = table.read(&name, from)?;
            let level = from.strip_prefix("from ").and_then(|level| level.parse().ok());
            table.expect(level.is_some(), || format!("{name}: `{from}` does not name a level"))?;
            found.push(FusedActivation { operator: full(&name), into, min_feature_level: level });
        }
    }
    Ok(found)
}

fn operator(table: &Table, raw: OperatorTable) -> Result<Operator, SpecError> {
    let name = raw.name;
    let number = format!("{:#x}", raw.introduced.feature_level.value());
    table.expect(raw.introduced.number == number, || format!("{name}: level and number of `introduced` disagree"))?;
    let sources = [
        (raw.introduced.source.as_str(), "DirectML.h"),
        (&raw.sources.enum_and_struct, "DirectX-Headers include/directx/DirectML.h"),
        (&raw.sources.field_kinds_optional_in_place, "onnxruntime External/DirectMLHelpers/DirectMLSchema.h"),
    ];
    table.expect(sources.iter().all(|(a, b)| a == b), || {
        format!("{name}: its sources differ from those of the other operators")
    })?;
    let table_of = |functions, blocks| SupportTable { functions, blocks, introduced: raw.introduced.feature_level };
    let support: Vec<SupportTable> = match (raw.support, raw.support_by_function) {
        (Some(blocks), None) => vec![table_of(Vec::new(), blocks)],
        (None, Some(tables)) => tables.into_iter().map(|t| table_of(t.functions, t.support)).collect(),
        _ => {
            return Err(SpecError::data(
                table.0,
                1,
                format!("{name}: expected either `support` or `support_by_function`"),
            ));
        }
    };
    let PageTable { repo, path, commit, .. } = raw.sources.support_and_constraints;
    let operator = Operator {
        name,
        value: raw.value,
        introduced: raw.introduced.feature_level,
        desc_struct: raw.desc_struct,
        aliases: raw.aliases,
        fields: raw.fields,
        in_place: raw.in_place,
        in_place_evidence: raw.in_place_evidence,
        tensor_constraints: raw.tensor_constraints,
        support,
        notes: raw.notes,
        page: PageSource { repo, path, commit },
        rules: None,
    };
    table.expect(operator.is_documented() == raw.support_table_present, || {
        format!("{}: `support_table_present` contradicts the support table", operator.name)
    })?;
    Ok(operator)
}

fn lowerings(path: &Path, text: &str, files: &mut BTreeMap<PathBuf, String>) -> Result<(), SpecError> {
    let table = Table(path);
    let tables: LoweringTables = parse(path, text)?;
    table.expect(tables.schema_version == 1, || "schema_version: expected 1, the only known version".into())?;
    table.expect(tables.registration_count == tables.registrations.len(), || {
        format!(
            "registration_count is {}, but there are {} registrations",
            tables.registration_count,
            tables.registrations.len()
        )
    })?;
    let mut found: BTreeMap<(String, String), Vec<Registration>> = BTreeMap::new();
    for raw in tables.registrations {
        let registration = Registration {
            registered_at_opset: raw.registered_at_opset,
            since_version: raw.since_version,
            dml_operators: raw.dml_operators,
            reduce_function: raw.reduce_function,
            lowering_note: raw.lowering_note,
            type_constraints: raw.type_constraints,
            support_query: raw.support_query,
            constant_cpu_inputs: raw.constant_cpu_inputs,
            output_aliases_input: raw.output_aliases_input,
            dml_graph_node: raw.dml_graph_node,
            graph_only_with_input_count: raw.graph_only_with_input_count,
            build_guard: raw.build_guard,
            kernel: raw.kernel,
        };
        found.entry((raw.domain, raw.op)).or_default().push(registration);
    }
    for ((domain, name), mut registrations) in found {
        registrations.sort_by_key(|registration| registration.since_version);
        let file = Path::new("lowering").join(&domain).join(format!("{name}.json"));
        files.insert(file, Lowering { domain, name, registrations }.to_json());
    }
    let ProviderFacts { minimum_dml_feature_level, directml_package, onnx_to_dml_types, .. } = tables.provider_facts;
    let provider = Provider {
        source: tables.source,
        minimum_dml_feature_level,
        directml_package,
        onnx_to_dml_types,
        unsupported_types: tables.provider_facts.unsupported_types,
        type_gate: tables.provider_facts.type_gate,
        max_opset_registered: tables.provider_facts.max_opset_registered,
        broadcast: tables.provider_facts.broadcast,
    };
    files.insert(PathBuf::from("lowering/provider.json"), to_lines(&provider));
    Ok(())
}
