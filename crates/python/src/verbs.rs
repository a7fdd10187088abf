//! What Python can do with a virtual drive.

use crate::drive::Drive;
use crate::errors::Refusal;
use crate::fault::caught;
use crate::file_run::{Column, FileRun};
use crate::guarded::Guarded;
use crate::listening::{ended_by, heard};
use crate::room::check_room;
use crate::run::Run;
use crate::wear::worn;
use flashscope_drive::stamps::{self, Found, Stamps};
use flashscope_drive::stripe::{Config as StripeConfig, Host};
use flashscope_drive::{
    AgedState, Drive as _, Member as _, Overwrites, Request, RequestKind, SnapshotError, Status, VirtualConfig,
    VirtualDrive, YEAR_NS, snapshot,
};
use flashscope_workload::file_work::Columns;
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The longest time that data may age in one call: 100 years [ns].
const AGE_MAX_NS: u64 = 100 * YEAR_NS;

/// id, flags, value, worst value, six raw bytes.
type AttributeTuple<'py> = (u8, u16, u8, u8, Bound<'py, PyBytes>);

#[pymethods]
impl Drive {
    /// A new drive. `configuration` is JSON in base units; `kind` is one of its fields; see `drives/parts/part.py`.
    #[new]
    fn new(python: Python<'_>, configuration: &str, seed: u64) -> PyResult<Self> {
        let configuration = configuration_of(configuration)?;
        check_room(configuration.memory_needed(None).map_err(Refusal::Config)?)?;
        let built = python.detach(|| heard(|| VirtualDrive::new(configuration, seed))).map_err(ended_by)?;
        Ok(Self::of(built.map_err(Refusal::Config)?, seed))
    }

    /// Several new drives as one stripe: one configuration for each; the member at place `n` has the seed `seed + n`.
    ///
    /// host_bytes_per_second, host_command_cost_ns, host_command_bytes_max: limits of the host's controller; 0: no
    /// limit.
    #[staticmethod]
    #[pyo3(signature = (
        configurations, seed, chunk_bytes, host_bytes_per_second, host_command_cost_ns, host_command_bytes_max = 0
    ))]
    fn striped(
        python: Python<'_>,
        configurations: Vec<String>,
        seed: u64,
        chunk_bytes: u64,
        host_bytes_per_second: u64,
        host_command_cost_ns: u64,
        host_command_bytes_max: u64,
    ) -> PyResult<Self> {
        let configurations: Result<Vec<_>, Refusal> =
            configurations.iter().map(|text| configuration_of(text)).collect();
        let configurations = configurations?;
        let needed: Result<Vec<u64>, _> = configurations.iter().map(|each| each.memory_needed(None)).collect();
        check_room(needed.map_err(Refusal::Config)?.into_iter().fold(0, u64::saturating_add))?;
        let member = |(place, configuration)| VirtualDrive::new(configuration, seed.wrapping_add(place));
        let build = || (0..).zip(configurations).map(member).collect::<Result<Vec<_>, _>>();
        let members = python.detach(|| heard(build)).map_err(ended_by)?.map_err(Refusal::Config)?;
        let host = Host {
            bytes_per_second: host_bytes_per_second,
            command_cost_ns: host_command_cost_ns,
            command_bytes_max: host_command_bytes_max,
        };
        let drive = VirtualDrive::stripe(StripeConfig { chunk_bytes, host }, members).map_err(Refusal::Config)?;
        Ok(Self::of(drive, seed))
    }

    /// The memory that a drive of this configuration takes when all of it is in use [bytes], and of that what it takes
    /// only while it is put into an aged state: an upper bound near the truth.
    #[staticmethod]
    fn memory_needed(configuration: &str) -> PyResult<(u64, u64)> {
        let configuration = configuration_of(configuration)?;
        let [used, aged] = [None, Some(Overwrites::Random)]
            .map(|overwrites| configuration.memory_needed(overwrites).map_err(Refusal::Config));
        let (used, aged) = (used?, aged?);
        Ok((used, aged.saturating_sub(used)))
    }

    /// Simulated time since the drive was built [ns].
    #[getter]
    fn now_ns(&self) -> u64 {
        self.guarded.facts().now_ns()
    }

    /// Capacity shown to the host [bytes].
    #[getter]
    fn user_bytes(&self) -> u64 {
        self.guarded.facts().user_bytes()
    }

    /// All flash [bytes], bad blocks included.
    #[getter]
    fn raw_bytes(&self) -> u64 {
        self.guarded.facts().raw_bytes()
    }

    /// How much the host can fill while every pool still has the blocks that it keeps free and those that it is filling
    /// [bytes]. A drive that shows more capacity than this has no spare at all. None for a drive that is not a
    /// page-mapped solid-state drive.
    #[getter]
    fn bytes_with_spare(&self) -> Option<u64> {
        let config = self.guarded.facts().ssd()?.config();
        config.log_blocks.is_none().then(|| config.bytes_with_spare())
    }

    /// Smallest addressable unit [bytes].
    #[getter]
    fn sector_bytes(&self) -> u64 {
        self.guarded.facts().sector_bytes()
    }

    /// Memory that grows with the drive's size [bytes].
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.guarded.facts().memory_bytes()
    }

    /// Prepare jobs (JSON, a list in the form of `workloads/job.py`) to run on this drive.
    ///
    /// The time at which they start is part of their seed. Otherwise jobs that run twice in a row would write the same
    /// places in the same order again, and a drive prepared by them would look far better than it is.
    ///
    /// host: what requests cost on the host (JSON, `drives/hosts/host.py`); without one they cost nothing there.
    #[pyo3(signature = (jobs, sample_interval_ns, host=None))]
    fn start(&self, jobs: &str, sample_interval_ns: u64, host: Option<&str>) -> PyResult<Run> {
        let seed = self.guarded.seed() ^ self.guarded.facts().now_ns().rotate_left(32);
        Run::new(jobs, sample_interval_ns, seed, host, &self.guarded)
    }

    /// Prepare programs that work on files: a trace as columns, a host as JSON (`workloads/file_system/`).
    #[expect(clippy::too_many_arguments, reason = "the columns of a trace; a structure would have to be taken apart")]
    fn start_file_work(
        &self,
        program_ends: Column<'_, u64>,
        operations: Column<'_, u64>,
        file_ends: Column<'_, u64>,
        extents: Column<'_, u64>,
        compressible: Column<'_, u8>,
        host: &str,
        sample_interval_ns: u64,
    ) -> PyResult<FileRun> {
        let columns = Columns {
            program_ends: program_ends.as_slice()?,
            operations: operations.as_slice()?,
            file_ends: file_ends.as_slice()?,
            extents: extents.as_slice()?,
            compressible: compressible.as_slice()?,
        };
        FileRun::new(&columns, host, sample_interval_ns, &self.guarded)
    }

    /// Leave the drive alone for `duration_ns`.
    fn idle(&mut self, python: Python<'_>, duration_ns: u64) -> PyResult<()> {
        self.guarded.work(python, duration_ns, |drive| drive.idle(duration_ns))
    }

    /// Tell the drive that `length_bytes` from `offset_bytes` on hold no data any more.
    fn trim(&mut self, python: Python<'_>, offset_bytes: u64, length_bytes: u64) -> PyResult<()> {
        let request = Request { kind: RequestKind::Trim, offset_bytes, length_bytes, compressible: 0 };
        let completion = self.guarded.work(python, 0, |drive| {
            drive.submit(drive.now_ns(), 0, request);
            drive.next_completion(u64::MAX)
        })?;
        match completion.map(|completion| completion.status) {
            Some(Status::Done) => Ok(()),
            Some(Status::OutOfRange) => Err(PyValueError::new_err(format!(
                "trim of {length_bytes} B at {offset_bytes} does not lie on sectors inside the drive"
            ))),
            Some(Status::NotSupported) => Err(PyValueError::new_err("this drive does not know TRIM")),
            Some(Status::ReadOnly | Status::Dead) => Err(PyValueError::new_err("this drive takes no writes any more")),
            Some(Status::NoFreeBlock | Status::Unreadable) | None => {
                Err(PyRuntimeError::new_err("a trim was not answered"))
            }
        }
    }

    /// Write a range whose sectors carry the numbers `stamp`, `stamp + 1` and so on. Returns how the write ended.
    fn write_stamped(
        &mut self,
        python: Python<'_>,
        offset_bytes: u64,
        length_bytes: u64,
        stamp: u64,
    ) -> PyResult<&'static str> {
        let write =
            |drive: &mut VirtualDrive, stamps: &mut Stamps| stamps.write(drive, offset_bytes, length_bytes, stamp);
        Ok(self.guarded.stamped(python, write)?.name())
    }

    /// Read a range. Returns how the read ended, and for each sector its stamp, 0 for zeros, None for anything else;
    /// stamps are forgotten as soon as anything else was done to the drive.
    fn read_stamped(
        &mut self,
        python: Python<'_>,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> PyResult<(&'static str, Vec<Option<u64>>)> {
        let read = |drive: &mut VirtualDrive, stamps: &mut Stamps| stamps.read(drive, offset_bytes, length_bytes);
        let (status, found) = self.guarded.stamped(python, read)?;
        let number = |found: &Found| match found {
            Found::Stamp(stamp) => Some(*stamp),
            Found::Zeros => Some(0),
            Found::Other => None,
        };
        Ok((status.name(), found.iter().map(number).collect()))
    }

    /// Bring everything that was answered to the medium; stamps stay. Returns how it ended.
    fn flush(&mut self, python: Python<'_>) -> PyResult<&'static str> {
        Ok(self.guarded.stamped(python, |drive, _| stamps::carried_out(drive, RequestKind::Flush, 0, 0))?.name())
    }

    /// Bring the drive back to its first state, but keep its wear. Returns the time it took [ns], None when it cannot.
    fn secure_erase(&mut self, python: Python<'_>) -> PyResult<Option<u64>> {
        // A part is refused when erasing its blocks one after the other takes longer.
        self.guarded.work(python, YEAR_NS, VirtualDrive::secure_erase)
    }

    /// Switch the drive off in good order, keep it at `celsius` for `duration_ns`, and switch it on again.
    ///
    /// Its data ages on the shelf as Arrhenius' law says for that temperature. A solid-state drive only.
    fn power_off(&mut self, python: Python<'_>, duration_ns: u64, celsius: f64) -> PyResult<()> {
        if !(-273.15 < celsius && celsius < 1000.0) {
            return Err(PyValueError::new_err(format!("celsius is {celsius}; accepted: above -273.15, below 1000")));
        }
        let ssd = self.guarded.facts().ssd().ok_or_else(|| only_solid_state("is kept without power"))?;
        // The clock of the data's age counts nanoseconds, and heat multiplies them.
        if duration_ns.max(ssd.config().temperature.equivalent_ns(duration_ns, celsius)) > AGE_MAX_NS {
            return Err(PyValueError::new_err(format!(
                "{duration_ns} ns at {celsius} C age data by more than 100 years; accepted: up to that"
            )));
        }
        self.guarded.work(python, duration_ns, |drive| {
            if let Some(ssd) = drive.ssd_mut() {
                ssd.power_off(duration_ns, celsius);
            }
        })
    }

    /// Cut the power without warning, then switch the drive on again. Returns how many mapping units of data were lost.
    ///
    /// A solid-state drive only.
    fn power_cut(&mut self, python: Python<'_>) -> PyResult<u64> {
        let lost = self.guarded.work(python, 0, |drive| drive.ssd_mut().map(|ssd| ssd.power_cut()))?;
        lost.ok_or_else(|| only_solid_state("has its power cut"))
    }

    /// Put a drive that holds no data into the state that long use leaves it in; no virtual time passes.
    ///
    /// fill_ratio: share of the user space with data. overwrites: "none" or "random". erase_count_mean [cycles] and
    /// erase_count_spread_ratio describe the wear of the blocks.
    fn age(
        &mut self,
        python: Python<'_>,
        fill_ratio: f64,
        overwrites: &str,
        erase_count_mean: u32,
        erase_count_spread_ratio: f64,
    ) -> PyResult<()> {
        let overwrites: Overwrites =
            overwrites.parse().map_err(|unknown| PyValueError::new_err(format!("overwrites is {unknown}")))?;
        let state = AgedState { fill_ratio, overwrites, erase_count_mean, erase_count_spread_ratio };
        Ok(self.guarded.work(python, 0, |drive| drive.age(&state))?.map_err(Refusal::Config)?)
    }

    /// SMART attributes: a list of (id, flags, value, worst value, six raw bytes).
    fn smart_attributes<'py>(&self, python: Python<'py>) -> PyResult<Vec<AttributeTuple<'py>>> {
        let attributes = self.guarded.look(python, VirtualDrive::smart_attributes)?;
        let entry = |attribute: flashscope_drive::smart::Attribute| {
            let raw = PyBytes::new(python, &attribute.raw);
            (attribute.id, attribute.flags, attribute.value, attribute.worst, raw)
        };
        Ok(attributes.into_iter().map(entry).collect())
    }

    /// The fields of NVMe's health log: name -> number; empty for a drive without NVMe.
    fn nvme_health<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(python);
        for (name, value) in self.guarded.look(python, VirtualDrive::nvme_health)? {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Everything counted since the drive was built: name -> value.
    fn counters<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(python);
        for (name, value) in self.guarded.look(python, VirtualDrive::counters)? {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// The counters of each member of a stripe, as they are now; empty for any other drive.
    fn member_counters<'py>(&self, python: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let counted = self
            .guarded
            .look(python, |drive| drive.members().iter().map(VirtualDrive::counters).collect::<Vec<_>>())?;
        let each = |counters: Vec<(&'static str, u64)>| {
            let dict = PyDict::new(python);
            for (name, value) in counters {
                dict.set_item(name, value)?;
            }
            Ok(dict)
        };
        counted.into_iter().map(each).collect()
    }

    /// The inside of the drive now, as arrays: per block, per pool, per bank, per channel, per decision of the
    /// collection.
    fn inside<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inside = self.guarded.look(python, |drive| drive.ssd().map(|ssd| ssd.inside()))?;
        let inside = inside.ok_or_else(|| only_solid_state("shows its inside"))?;
        let dict = PyDict::new(python);
        dict.set_item("block_valid_slots", inside.valid_slots.to_pyarray(python))?;
        dict.set_item("block_erase_counts", inside.erase_counts.to_pyarray(python))?;
        dict.set_item("block_states", inside.states.to_pyarray(python))?;
        // Empty on a drive without a pSLC cache.
        dict.set_item("block_pslc", inside.pslc.to_pyarray(python))?;
        dict.set_item("pool_free_blocks", inside.free_blocks.to_pyarray(python))?;
        dict.set_item("bank_queue_lengths", inside.queue_lengths.to_pyarray(python))?;
        dict.set_item("bank_busy_ns", inside.bank_busy_ns.to_pyarray(python))?;
        dict.set_item("channel_busy_ns", inside.channel_busy_ns.to_pyarray(python))?;
        dict.set_item("buffered_units", inside.buffered_units)?;
        let column = |values: Vec<u64>| PyArray1::from_vec(python, values);
        let decisions = &inside.decisions;
        dict.set_item("decision_at_ns", column(decisions.iter().map(|decision| decision.at_ns).collect()))?;
        let narrow = |pick: fn(&flashscope_drive::Decision) -> u32| {
            column(decisions.iter().map(|decision| u64::from(pick(decision))).collect())
        };
        dict.set_item("decision_pool", narrow(|decision| decision.pool))?;
        dict.set_item("decision_block", narrow(|decision| decision.block))?;
        dict.set_item("decision_valid_slots", narrow(|decision| decision.valid_slots))?;
        dict.set_item("decision_free_blocks", narrow(|decision| decision.free_blocks))?;
        dict.set_item("decision_reason", narrow(|decision| decision.reason as u32))?;
        Ok(dict)
    }

    /// How the blocks have worn, as arrays: erase counts, states, ages of the data, factors of the error rate.
    fn worn<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        worn(python, self)
    }

    /// The complete state as bytes. Not while a run is under way.
    fn snapshot<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.guarded.check_free()?;
        let bytes = self.guarded.look(python, snapshot::take)?;
        Ok(PyBytes::new(python, &bytes))
    }

    /// The drive whose state `snapshot` holds; `seed` is the seed of the workloads from now on.
    #[staticmethod]
    fn restore(python: Python<'_>, snapshot: &[u8], seed: u64) -> PyResult<Self> {
        let restored = python.detach(|| caught(|| snapshot::restore_at_rest(snapshot)));
        let drive = restored.unwrap_or_else(|fault| Err(SnapshotError::Damaged(fault))).map_err(Refusal::Snapshot)?;
        Ok(Self { guarded: Guarded::new(drive, seed, true) })
    }

    /// Come to an assertion, as a fault of the core would. Only for the tests of how such a fault is reported.
    fn _come_to_an_assertion(&mut self, python: Python<'_>) -> PyResult<()> {
        self.guarded.work(python, 0, |_| panic!("a fault that was asked for"))
    }

    /// Check every invariant, slowly; a fault of the core is a panic that names it.
    fn check(&self, python: Python<'_>) -> PyResult<()> {
        self.guarded.look(python, VirtualDrive::check)
    }
}

/// The error for what a disk, a hybrid, a drive of memory or a stripe cannot do.
fn only_solid_state(what: &str) -> PyErr {
    PyValueError::new_err(format!("only a solid-state drive {what}"))
}

/// A drive's configuration from JSON: the field `kind`, and the fields of that kind.
fn configuration_of(text: &str) -> Result<VirtualConfig, Refusal> {
    let mut fields: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text).map_err(Refusal::ConfigText)?;
    let kind = fields.remove("kind").unwrap_or_else(|| "ssd".into());
    let named = serde_json::Map::from_iter([(kind.as_str().unwrap_or_default().to_owned(), fields.into())]);
    serde_json::from_value(named.into()).map_err(Refusal::ConfigText)
}
