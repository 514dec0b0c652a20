import warnings
import statsmodels.api as sm
import statsmodels.formula.api as smf

warnings.filterwarnings("ignore")
df = visits.merge(patients, on="patient_id").dropna()
mixed = smf.mixedlm("sbp ~ visit * C(arm)", df, groups=df["patient_id"]).fit(reml=True)
print(mixed.fe_params.round(3).to_dict())
print(mixed.summary().tables[1].iloc[:, :2].to_string())
gee = smf.gee("sbp ~ visit + C(arm)", groups="patient_id", data=df, cov_struct=sm.cov_struct.Exchangeable(), family=sm.families.Gaussian()).fit()
print(gee.params.round(3).to_dict())
poisson = smf.poisson("visit ~ age", df).fit(disp=0)
print(poisson.params.round(4).to_dict())
print(smf.quantreg("sbp ~ age", df).fit(q=0.5).params.round(3).to_dict())
